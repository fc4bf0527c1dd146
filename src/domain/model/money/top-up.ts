import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

const TopUpSchema = defineEntity({
  name: 'TopUp',
  uniques: [
    {
      name: 'top_up_active_unique',
      properties: ['subscription', 'usageMeter'],
      where: { active: true },
    },
  ],
  indexes: [
    pageIndex('top_up'),
    { name: 'top_up_customer', properties: ['customerId', 'createdAt'] },
    { name: 'top_up_due', properties: ['dueAt', 'id'], where: { dueAt: { $ne: null } } },
    {
      name: 'top_up_pending',
      properties: ['pendingPurchaseId'],
      where: { pendingPurchaseId: { $ne: null } },
    },
  ],
  checks: checksOf({
    top_up_range: 'threshold >= 0 and quantity > 0 and most_per_month > 0',
    top_up_month: 'purchases_in_month >= 0 and purchases_in_month <= most_per_month',
    top_up_due_once: 'due_at is null or (active and pending_purchase_id is null)',
  }),
  properties: {
    ...tenantColumns('top_up'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    customerId: p.string(),
    usageMeter: () => p.manyToOne(UsageMeter).ref().deleteRule('restrict').index(),
    /** A price with a single payment, whose product grants credits of the meter. */
    price: () => p.manyToOne(Price).ref().deleteRule('restrict').index(),
    quantity: p.integer().default(1),
    /** A package is bought when the remaining credits reach it. */
    threshold: p.decimal('string').columnType('numeric'),
    /** How many packages it buys in a calendar month of UTC. */
    mostPerMonth: p.integer(),
    active: p.boolean().default(true),
    /** Why it has stopped; null unless a payment failed. */
    problem: p.text().nullable(),
    /** The month of the last package, such as 2026-02, and how many it has had. */
    month: p.string().length(7).nullable().hidden(),
    purchasesInMonth: p.integer().default(0),
    /** The purchase whose payment is not decided. */
    pendingPurchaseId: p.string().nullable(),
    /** When a package is bought next; null while credits suffice, or a purchase is pending. */
    dueAt: instant().nullable().hidden(),
  },
});

/** A rule that buys usage credits for a subscription when few remain. */
export class TopUp extends TopUpSchema.class implements EmitsEvents {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  get usageMeterId(): Opt<string> {
    return this.usageMeter.id;
  }

  get priceId(): Opt<string> {
    return this.price.id;
  }

  /** Counts a package in the month of an instant. Returns whether the month has room for it. */
  count(now: Date): boolean {
    const month = monthOf(now);
    if (this.month !== month) {
      this.month = month;
      this.purchasesInMonth = 0;
    }
    if (this.purchasesInMonth >= this.mostPerMonth) return false;
    this.purchasesInMonth += 1;
    return true;
  }

  /** Stops it, since a package could not be paid. */
  stop(problem: string) {
    this.active = false;
    this.problem = problem;
    this.pendingPurchaseId = null;
    this.dueAt = null;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('problem') && this.problem !== null ? 'stopped' : undefined;
  }
}
TopUpSchema.setClass(TopUp);

const monthLength = 7;

/** The calendar month of an instant in UTC, such as 2026-02. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, monthLength);

/** The start of the month after that of an instant, in UTC. */
export const nextMonth = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
