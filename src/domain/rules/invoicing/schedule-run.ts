import type { FilterQuery } from '@mikro-orm/core';
import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingRun, unbegunRunStatuses } from '#domain/billing-runs/billing-run.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** Plans a try to be paid for a period of a held subscription; the first one when no number is given. */
export function scheduleRun(
  { em }: Session,
  subscription: Subscription,
  billingPeriod: BillingPeriod,
  { at, attemptNumber = 1 }: { at: Date; attemptNumber?: number },
): BillingRun {
  return em.create(BillingRun, {
    subscription,
    billingPeriod,
    status: 'scheduled',
    scheduledFor: at,
    dueAt: at,
    attemptNumber,
    customerId: subscription.customerId,
    testClockId: subscription.testClockId ?? null,
  });
}

/**
 * Plans to be paid for a period that has just been opened, if there is who pays. What costs
 * nothing by itself has something to be paid when usage is owed, by whatever pays for the customer.
 */
export function scheduleFirstRun(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
  usagePayer: PaymentMethod | null = null,
) {
  const { doNotCharge, isFreePlan, status } = subscription;
  const pays = subscription.defaultPaymentMethod ?? subscription.backupPaymentMethod ?? usagePayer;
  const isFree = isFreePlan && !usagePayer;
  if (doNotCharge || isFree || !pays || period.trialPeriod || status === 'unpaid') return;
  const at = subscription.runBillingAtPeriodStart ? period.startDate : period.endDate;
  scheduleRun(session, subscription, period, { at });
}

/**
 * Takes back what has not begun: the runs of a subscription that ends. An adjustment that credit has paid for
 * gives that back by itself.
 */
export const abortUnbegunRuns = (session: Session, subscriptionId: string) =>
  abortRuns(session, {
    subscription: subscriptionId,
    isAdjustment: false,
    status: { $in: [...unbegunRunStatuses] },
  });

/** Takes back what is not due yet, of a subscription that is to end; the period that has begun is charged for. */
export const abortLaterRuns = (session: Session, subscriptionId: string) =>
  abortRuns(session, {
    subscription: subscriptionId,
    status: 'scheduled',
    scheduledFor: { $gt: session.now },
  });

async function abortRuns({ em }: Session, runs: FilterQuery<BillingRun>) {
  for (const run of await em.find(BillingRun, runs)) {
    run.end('aborted', 'The subscription has been canceled');
  }
}
