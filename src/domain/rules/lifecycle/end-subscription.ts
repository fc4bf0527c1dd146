import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/payments/payment.ts';
import { cutRests, pendingRests } from '#domain/rules/adjusting/trial-rests.ts';
import { endReservations } from '#domain/rules/capacity/end-reservations.ts';
import { endResourceClaims } from '#domain/rules/capacity/end-resource-claims.ts';
import { releaseRedemption } from '#domain/rules/catalog/redeem-discount.ts';
import { billLastUsage } from '#domain/rules/invoicing/bill-last-usage.ts';
import { abortUnbegunRuns } from '#domain/rules/invoicing/schedule-run.ts';
import { rollOverUsage } from '#domain/rules/ledger/roll-over-usage.ts';
import { currentPeriod, lastPeriodOf } from '#domain/rules/reads/current-period.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { grantsInPause } from '#domain/subscriptions/pause-options.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { CancellationReason } from '#domain/subscriptions/subscription-columns.ts';
import { currentStatuses } from '#domain/subscriptions/subscription-statuses.ts';
import { subscribeToFreePlan } from './free-plan.ts';
import { grantPurchases } from './grant-purchases.ts';
import { cancelPhases } from './start-phases.ts';

interface Ending {
  readonly reason: CancellationReason | null;
  /** Whether a customer without another subscription returns to the free plan. */
  readonly thenFreePlan: boolean;
}

/**
 * Ends a locked subscription now; the only way in which one ends. Ends its periods, runs, items, features and claims,
 * and bills its last usage. A discount that was redeemed for one without a payment is available again. The customer then returns to the free plan, unless it has another current subscription or
 * has just left the free plan. Another current subscription gets the features that the customer has bought once.
 */
export async function endSubscription(
  session: Session,
  subscription: Subscription,
  { reason, thenFreePlan }: Ending,
) {
  const { em, now } = session;
  if (subscription.status === 'incomplete') {
    await releaseRedemption(session, { subscription: subscription.id });
    // It has never begun, and owes nothing of what it committed to.
    subscription.committed = false;
  }
  await endReservations(session, subscription);
  await endResourceClaims(session, subscription);
  const wasPaused = subscription.status === 'paused';
  subscription.cancel(now, reason);
  subscription.commitment = null;
  const period = await endedPeriodOf(session, subscription, wasPaused);
  if (period) cutRests(session, await pendingRests(session, period), now);
  await endPeriods(session, subscription);
  await cancelPhases(session, subscription);
  await abortUnbegunRuns(session, subscription.id);
  await reviewPayments(session, subscription);
  const of = { subscription: subscription.id };
  for (const item of await em.find(SubscriptionItem, of)) item.expire(now);
  const features = { subscriptionId: subscription.id };
  for (const feature of await em.find(SubscriptionItemFeature, features)) feature.expire(now);
  // The next subscription may open only when this one is not current.
  await em.flush();
  if (period) {
    await rollOverUsage(session, subscription, { ended: period, begun: null, grants: 'none' });
    await billLastUsage(session, subscription, period);
  }
  const others = {
    customer: subscription.customerId,
    $or: [{ status: { $in: [...currentStatuses] } }, grantsInPause],
  };
  const [other] = await em.find(Subscription, others, { orderBy: oldestFirst });
  if (other) return grantPurchases(session, other);
  if (!thenFreePlan || subscription.isFreePlan) return;
  await subscribeToFreePlan(session, await subscription.customer.loadOrFail());
}

/** The period that ends: the current one, or the one that has ended in a pause, whose later usage is owed with it. */
async function endedPeriodOf(session: Session, subscription: Subscription, wasPaused: boolean) {
  const current = await currentPeriod(session, subscription);
  if (current) return current;
  return wasPaused ? lastPeriodOf(session, subscription) : null;
}

/** Makes pending payments due for a check: a charge for the rest of the period is canceled. */
async function reviewPayments({ em, now }: Session, { id }: Subscription) {
  const pending = { subscriptionId: id, status: { $in: [...pendingPaymentStatuses] } };
  for (const { chargeId } of await em.find(Payment, pending)) {
    (await em.findOneOrFail(Payment, chargeId)).checkDueAt = now;
  }
}

/** Ends the current period now; earlier ones keep their status, unless they are still owed. */
async function endPeriods({ em, now }: Session, { id }: Subscription) {
  for (const period of await em.find(BillingPeriod, { subscription: id })) {
    if (period.isTerminal) continue;
    const isRunning = period.startDate <= now && period.endDate >= now;
    if (isRunning && period.status !== 'past_due') {
      period.status = 'completed';
      period.endDate = now;
    } else {
      period.status = 'canceled';
    }
  }
}
