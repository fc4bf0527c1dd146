import { type FilterQuery, ref } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import {
  BillingRun,
  type billingRunPurposes,
  unbegunRunStatuses,
} from '#domain/model/money/billing-run.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/** Schedules a billing run for a period of a locked subscription; the first attempt when no number is given. */
export function scheduleRun(
  { em }: Session,
  subscription: Subscription,
  billingPeriod: BillingPeriod,
  { at, attemptNumber = 1 }: { at: Date; attemptNumber?: number },
  purpose: (typeof billingRunPurposes)[number] = 'period',
): BillingRun {
  return em.create(BillingRun, {
    subscription,
    billingPeriod,
    purpose,
    status: 'scheduled',
    scheduledFor: at,
    dueAt: at,
    attemptNumber,
    customerId: subscription.customerId,
    testClockId: subscription.testClockId ?? null,
  });
}

interface Retried {
  readonly subscription: Subscription;
  readonly period: BillingPeriod;
  readonly invoice: Invoice;
}

/** Schedules another attempt to collect an open invoice of a locked subscription. */
export function retryRun(
  session: Session,
  { subscription, period, invoice }: Retried,
  timing: { readonly at: Date; readonly attemptNumber: number },
): BillingRun {
  if (invoice.purpose !== 'threshold') return scheduleRun(session, subscription, period, timing);
  // A period may have several such invoices, so the run names its own.
  const run = scheduleRun(session, subscription, period, timing, 'threshold');
  run.invoice = ref(invoice);
  return run;
}

/**
 * Schedules the run for a period that has just been opened, if there is a payment method or its invoice is sent. A
 * free subscription has an amount due when usage is owed; `paysUsage` tells whether that can be collected. The run
 * waits `waitsHours` for late usage of the period before.
 */
export function scheduleFirstRun(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
  { paysUsage = false, waitsHours = 0 }: { paysUsage?: boolean; waitsHours?: number } = {},
) {
  const { doNotCharge, isFreePlan, status, startDate } = subscription;
  const { defaultPaymentMethod, backupPaymentMethod, sendsInvoices } = subscription;
  const pays = sendsInvoices || defaultPaymentMethod || backupPaymentMethod || paysUsage;
  const isFree = isFreePlan && !paysUsage;
  const isCharged = !period.trialPeriod && !period.paidElsewhere;
  if (doNotCharge || isFree || !pays || !isCharged || status === 'unpaid') return;
  // The first period starts before the subscription where it keeps the billing cycle of another one.
  const start = period.startDate > startDate ? period.startDate : startDate;
  const at = subscription.runBillingAtPeriodStart ? start : period.endDate;
  const late = new Date(at.getTime() + waitsHours * hourMilliseconds);
  // The end of the subscription within the window would leave the period uncharged.
  const isLast = subscription.endsBy(period.endDate) && at < period.endDate;
  const waits = isLast && late >= period.endDate ? at : late;
  scheduleRun(session, subscription, period, { at: waits });
}

const hourMilliseconds = 3_600_000;

/**
 * Aborts the runs of a subscription that ends, unless they have begun. An adjustment that credit has paid for
 * restores that credit by itself.
 */
export const abortUnbegunRuns = (session: Session, subscriptionId: string) =>
  abortRuns(session, {
    subscription: subscriptionId,
    purpose: { $ne: 'adjustment' },
    status: { $in: [...unbegunRunStatuses] },
  });

/**
 * Aborts runs of a subscription that will end, unless they are due. The period that has begun is still charged, also
 * where its invoice waits for late usage.
 */
export const abortLaterRuns = (session: Session, subscriptionId: string) =>
  abortRuns(session, {
    subscription: subscriptionId,
    status: 'scheduled',
    scheduledFor: { $gt: session.now },
    $not: { attemptNumber: 1, billingPeriod: { startDate: { $lte: session.now } } },
  });

async function abortRuns({ em }: Session, runs: FilterQuery<BillingRun>) {
  for (const run of await em.find(BillingRun, runs)) {
    run.end('aborted', 'The subscription has been canceled');
  }
}
