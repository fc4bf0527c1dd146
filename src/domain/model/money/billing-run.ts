import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { ChargedAdjustment } from '#domain/model/subscriptions/planned-item.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

export const billingRunStatuses = [
  'scheduled',
  'started',
  'awaiting_payment_confirmation',
  'succeeded',
  'failed',
  'abandoned',
  'aborted',
] as const;

/**
 * The purpose of the invoice that a run collects. Adjustments and thresholds have runs of their own; other purposes share
 * a period's attempts.
 */
export const billingRunPurposes = ['period', 'adjustment', 'last_usage', 'threshold'] as const;
export const regularPurposes = ['period', 'last_usage'] as const;

/** The statuses of a run that has not ended. */
export const openRunStatuses = ['scheduled', 'started', 'awaiting_payment_confirmation'] as const;

/** The statuses in which the processor has not been asked yet. */
export const unbegunRunStatuses = ['scheduled', 'started'] as const;

const BillingRunSchema = defineEntity({
  name: 'BillingRun',
  uniques: [
    {
      name: 'billing_run_open_unique',
      properties: ['billingPeriod'],
      where: { purpose: { $in: [...regularPurposes] }, status: { $in: [...openRunStatuses] } },
    },
    {
      name: 'billing_run_adjustment_unique',
      properties: ['subscription'],
      where: { purpose: 'adjustment', status: { $in: [...openRunStatuses] } },
    },
    {
      name: 'billing_run_attempt_unique',
      properties: ['billingPeriod', 'attemptNumber'],
      where: { purpose: { $in: [...regularPurposes] } },
    },
  ],
  indexes: [
    pageIndex('billing_run'),
    {
      name: 'billing_run_scheduled',
      properties: ['pricingModelId', 'scheduledFor', 'position', 'id'],
    },
    { name: 'billing_run_subscription', properties: ['subscription'] },
    { name: 'billing_run_period', properties: ['billingPeriod'] },
    {
      name: 'billing_run_due',
      properties: ['testClockId', 'dueAt', 'id'],
      where: { dueAt: { $ne: null } },
    },
  ],
  checks: checksOf({
    billing_run_attempt: 'attempt_number > 0',
    billing_run_adjusts: `(purpose = 'adjustment') = (adjustment is not null)`,
    billing_run_due_open: `due_at is null or status in ('scheduled', 'started', 'awaiting_payment_confirmation')`,
  }),
  properties: {
    ...tenantColumns('billing_run'),
    subscription: () => p.manyToOne(Subscription).ref().deleteRule('cascade'),
    billingPeriod: () => p.manyToOne(BillingPeriod).ref().deleteRule('cascade'),
    invoice: () => p.manyToOne(Invoice).ref().nullable().index(),
    status: p.enum(billingRunStatuses).default('scheduled'),
    scheduledFor: instant(),
    /** The number of the attempt for its period, from 1. */
    attemptNumber: p.integer().default(1),
    /** Why it did not succeed. */
    errorDetails: p.text().nullable(),
    purpose: p.enum(billingRunPurposes).default('period').hidden(),
    /** The adjustment that is applied when it succeeds. */
    adjustment: p.json<ChargedAdjustment>().nullable().hidden(),
    customerId: p.string().hidden(),
    testClockId: p.string().nullable().hidden(),
    /** Since when it waits for the boundaries of other subscriptions whose invoices are consolidated with its own. */
    awaitsSince: instant().nullable().hidden(),
    /** Since when its invoice cannot be written, which delays the others of its document. */
    failsSince: instant().nullable().hidden(),
    /** When it is worked on next; null when it waits for a payment, or has ended. */
    dueAt: instant().nullable().hidden(),
  },
});

/** One attempt to invoice and collect a billing period or an adjustment. */
export class BillingRun extends BillingRunSchema.class {
  get subscriptionId(): Opt<string> {
    return this.subscription.id;
  }

  get billingPeriodId(): Opt<string> {
    return this.billingPeriod.id;
  }

  get invoiceId(): Opt<string> | null {
    return this.invoice?.id ?? null;
  }

  /** Whether it collects an adjustment, whose items it applies once it is paid. */
  get isAdjustment(): Opt<boolean> {
    return this.purpose === 'adjustment';
  }

  get isOpen(): Opt<boolean> {
    return (openRunStatuses as readonly string[]).includes(this.status);
  }

  /** Ends the run with a final status. */
  end(status: 'succeeded' | 'failed' | 'aborted', errorDetails: string | null = null) {
    this.status = status;
    this.errorDetails = errorDetails;
    this.dueAt = null;
  }
}
BillingRunSchema.setClass(BillingRun);

/**
 * The order of runs that are due at one instant: the oldest period first, then the oldest subscription. A free plan
 * precedes the one that replaces it. Ids are random, and decide nothing.
 */
export const oldestDebtFirst = {
  billingPeriod: { startDate: 'asc' },
  subscription: { createdAt: 'asc', isFreePlan: 'desc', position: 'asc' },
  createdAt: 'asc',
  attemptNumber: 'asc',
  position: 'asc',
  id: 'asc',
} as const;
