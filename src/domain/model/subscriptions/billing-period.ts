import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { type DiscountTerms, discountOf } from '#domain/model/catalog/discount-terms.ts';
import { BillingPeriodItem } from './billing-period-item.ts';
import type { PeriodCommitment } from './commitment.ts';
import { Subscription } from './subscription.ts';

export const billingPeriodStatuses = [
  'upcoming',
  'active',
  'completed',
  'canceled',
  'past_due',
  'scheduled_to_cancel',
] as const;

/** A credit to a customer's balance for a period, in minor units: before tax, and with it. */
export interface PeriodCredit {
  readonly amount: number;
  readonly withTax: number;
}

/** The proration of a period so far, in minor units before tax. */
export interface Proration {
  /** The start of its present plan; milliseconds since 1970. */
  readonly since: number;
  /** The worth of the part before that. */
  readonly used: number;
  /** The worth of a whole period by the present plan. */
  readonly total: number;
  /** `used` and `total` before the discount; absent without one. */
  readonly listed?: { readonly used: number; readonly total: number };
  /** The credit to the customer's balance once the period's pending invoice is paid. */
  readonly awaitedCredit?: PeriodCredit;
}

const BillingPeriodSchema = defineEntity({
  name: 'BillingPeriod',
  indexes: [
    pageIndex('billing_period'),
    { name: 'billing_period_end', properties: ['pricingModelId', 'endDate', 'position', 'id'] },
  ],
  uniques: [{ name: 'billing_period_start_unique', properties: ['subscription', 'startDate'] }],
  checks: checksOf({
    billing_period_order: 'start_date <= end_date',
    billing_period_cycle: 'cycle_start < start_date',
    billing_period_shortened: 'cycle_end is null or cycle_end > end_date and not trial_period',
  }),
  properties: {
    ...tenantColumns('billing_period'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    /** The first instant of the period. */
    startDate: instant(),
    /** The instant after the period, at which the next one starts. */
    endDate: instant(),
    /** The start of the billing cycle of which it is the last part; null where it is a whole one. */
    cycleStart: instant().nullable(),
    /** The end of the billing cycle, where its subscription was to end before that; else null. */
    cycleEnd: instant().nullable(),
    status: p.enum(billingPeriodStatuses).default('active'),
    trialPeriod: p.boolean().default(false),
    customerId: p.string().hidden(),
    /** When an invoice billed its usage; later usage counts for another period. */
    usageBilledAt: instant().nullable().hidden(),
    /** Whether it was charged together with the one before. */
    prepaid: p.boolean().default(false).hidden(),
    /** The price of its plan, in minor units before tax, if that is paid elsewhere; null where it is charged here. */
    paidElsewhereAmount: safeInteger().nullable().hidden(),
    /** Its proration by adjustments; null while its first plan applies. */
    proration: p.json<Proration>().nullable().hidden(),
    /** Other amounts that count as paid for it, less credits to the customer's balance; minor units before tax. */
    carriedAmount: safeInteger().default(0).hidden(),
    /** The same with its tax. */
    carriedWithTax: safeInteger().default(0).hidden(),
    /** The discount on the payment for it; null without one. */
    discount: p.json<DiscountTerms>().nullable().hidden(),
    /** The commitment that it counts for; null without one. */
    commitment: p.json<PeriodCommitment>().nullable().hidden(),
    items: () =>
      p.oneToMany(BillingPeriodItem).mappedBy('billingPeriod').orderBy({ position: 'asc' }),
  },
});

/** The time that one regular charge of a subscription covers; periods follow without a gap. */
export class BillingPeriod extends BillingPeriodSchema.class {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  /** Whether neither its plan nor its usage is charged, since both are paid elsewhere. */
  get paidElsewhere(): Opt<boolean> {
    return this.paidElsewhereAmount != null;
  }

  /** The start of a whole cycle that has its end: a shorter period costs its share of that, up to its end. */
  get wholeStart(): Opt<Date> {
    const { startDate, cycleStart, cycleEnd, endDate } = this;
    const start = cycleStart ?? startDate;
    return cycleEnd ? new Date(start.getTime() - (cycleEnd.getTime() - endDate.getTime())) : start;
  }

  /** The worth of an amount of its plan after its discount, in minor units before tax. */
  worthOf(amount: number): number {
    const { discount } = this;
    return discount ? amount - discountOf(discount, amount, discount.currency ?? '') : amount;
  }

  get isTerminal(): Opt<boolean> {
    return this.status === 'completed' || this.status === 'canceled';
  }
}
BillingPeriodSchema.setClass(BillingPeriod);
