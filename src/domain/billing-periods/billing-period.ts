import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { BillingPeriodItem } from './billing-period-item.ts';

export const billingPeriodStatuses = [
  'upcoming',
  'active',
  'completed',
  'canceled',
  'past_due',
  'scheduled_to_cancel',
] as const;

/** What goes to a customer's balance for a period, in minor units: before tax, and with it. */
export interface PeriodCredit {
  readonly amount: number;
  readonly withTax: number;
}

/** How a period has been shared out so far, in minor units before tax. */
export interface Proration {
  /** Since when it goes by its present plan; milliseconds since 1970. */
  readonly since: number;
  /** What the part before that was worth. */
  readonly used: number;
  /** What a whole period by the present plan is worth. */
  readonly total: number;
  /** What goes to the customer's balance once the period's invoice, which is still being paid, has been paid. */
  readonly awaitedCredit?: PeriodCredit;
}

const BillingPeriodSchema = defineEntity({
  name: 'BillingPeriod',
  indexes: [
    { name: 'billing_period_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
  ],
  uniques: [{ name: 'billing_period_start_unique', properties: ['subscription', 'startDate'] }],
  checks: [{ name: 'billing_period_order', expression: 'start_date <= end_date' }],
  properties: {
    ...tenantColumns('billing_period'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    /** The first instant of the period. */
    startDate: instant(),
    /** The instant after the period, at which the next one starts. */
    endDate: instant(),
    status: p.enum(billingPeriodStatuses).default('active'),
    trialPeriod: p.boolean().default(false),
    customerId: p.string().hidden(),
    /** When an invoice billed what was used in it; what is used later counts for another period. */
    usageBilledAt: instant().nullable().hidden(),
    /** Whether it was charged for together with the one before. */
    prepaid: p.boolean().default(false).hidden(),
    /** How it has been shared out by adjustments; null while it goes by the plan that it began with. */
    proration: p.json<Proration>().nullable().hidden(),
    /** What else counts as paid for it, less what went to the customer's balance; minor units before tax. */
    carriedAmount: safeInteger().default(0).hidden(),
    /** The same with its tax. */
    carriedWithTax: safeInteger().default(0).hidden(),
    items: () =>
      p.oneToMany(BillingPeriodItem).mappedBy('billingPeriod').orderBy({ position: 'asc' }),
  },
});

/** A stretch of time for which a subscription is charged; they follow each other without a gap. */
export class BillingPeriod extends BillingPeriodSchema.class {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  get isTerminal(): Opt<boolean> {
    return this.status === 'completed' || this.status === 'canceled';
  }
}
BillingPeriodSchema.setClass(BillingPeriod);
