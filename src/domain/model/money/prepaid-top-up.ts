import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { monthOf } from './top-up.ts';

const PrepaidTopUpSchema = defineEntity({
  name: 'PrepaidTopUp',
  uniques: [
    { name: 'prepaid_top_up_active_unique', properties: ['customer'], where: { active: true } },
  ],
  indexes: [
    pageIndex('prepaid_top_up'),
    { name: 'prepaid_top_up_customer', properties: ['customer', 'createdAt'] },
    {
      name: 'prepaid_top_up_ready',
      properties: ['id'],
      where: { active: true, pendingCreditId: null },
    },
    {
      name: 'prepaid_top_up_pending',
      properties: ['pendingCreditId'],
      where: { pendingCreditId: { $ne: null } },
    },
  ],
  checks: checksOf({
    prepaid_top_up_range:
      'threshold >= 0 and amount > 0 and valid_days > 0 and most_per_month >= amount',
    prepaid_top_up_month: 'bought_in_month >= 0 and bought_in_month <= most_per_month',
  }),
  properties: {
    ...tenantColumns('prepaid_top_up'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    /** ISO 4217, upper case: the currency of the customer. */
    currency: p.string().length(3),
    /** Minor units, like the amounts below. It buys when the prepaid balance reaches it. */
    threshold: safeInteger(),
    /** The amount of a purchase. */
    amount: safeInteger(),
    /** The most that it buys in a calendar month of UTC. */
    mostPerMonth: safeInteger(),
    /** The days for which the bought credit is valid; null for always. */
    validDays: p.integer().nullable(),
    active: p.boolean().default(true),
    /** Why it has stopped; null unless a purchase was not paid, or its money was returned. */
    problem: p.text().nullable(),
    /** The month of the last purchase, such as 2026-02, and the amount that top-ups of the customer had bought in it. */
    month: p.string().length(7).nullable().hidden(),
    boughtInMonth: safeInteger().default(0),
    /** The credit whose invoice is not decided. */
    pendingCreditId: p.string().nullable(),
    /** When it may buy again, since its month has no room; null otherwise. */
    waitsUntil: instant().nullable(),
  },
});

/** A rule that buys prepaid credit for a customer when little remains. */
export class PrepaidTopUp extends PrepaidTopUpSchema.class implements EmitsEvents {
  get customerId(): Opt<string> {
    return this.customer.id;
  }

  /**
   * Counts a purchase in the month of an instant, in which top-ups of the customer have bought an amount before. Returns
   * whether the month has room for it.
   */
  count(now: Date, bought: number): boolean {
    if (bought + this.amount > this.mostPerMonth) return false;
    this.month = monthOf(now);
    this.boughtInMonth = bought + this.amount;
    return true;
  }

  /** Stops it, since a purchase was not paid, or its money was returned. */
  stop(problem: string) {
    this.active = false;
    this.problem = problem;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('problem') && this.problem !== null ? 'stopped' : undefined;
  }
}
PrepaidTopUpSchema.setClass(PrepaidTopUp);
