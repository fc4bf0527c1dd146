import { endReservations } from '#domain/capacity/end-reservations.ts';
import { endResourceClaims } from '#domain/capacity/end-resource-claims.ts';
import { billLastUsage } from '#domain/invoicing/billing/bill-last-usage.ts';
import { abortUnbegunRuns } from '#domain/invoicing/billing/schedule-run.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { rollOverUsage } from '#domain/metering/credits/roll-over-usage.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { CancellationCredit } from '#domain/model/subscriptions/cancellation-credit.ts';
import { grantsAccess } from '#domain/model/subscriptions/grants-access.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { CancellationReason } from '#domain/model/subscriptions/subscription-columns.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { currentPeriod, lastPeriodOf } from '#domain/platform/reads/current-period.ts';
import { forgetSchedule } from '#domain/subscriptions/adjusting/drop-scheduled-adjustment.ts';
import { cutRests, pendingRests } from '#domain/subscriptions/adjusting/trial-rests.ts';
import { releaseRedemption } from '#domain/subscriptions/periods/redeem-discount.ts';
import { subscribeToFreePlan } from './free-plan.ts';
import { grantPurchases } from './grant-purchases.ts';
import { nothingReturned, type Returned, returnUnused, worthAtEnd } from './return-unused.ts';
import { cancelPhases } from './start-phases.ts';

interface Ending {
  readonly reason: CancellationReason | null;
  /** The way in which a cancellation returns unused time; it returns nothing when absent. */
  readonly credit?: CancellationCredit | null;
  /** Whether a customer without another subscription returns to the free plan. */
  readonly thenFreePlan: boolean;
}

/**
 * Ends a locked subscription now; the only way in which one ends. Ends its periods, runs, items, features and claims,
 * and drops its scheduled adjustment. Returns the unused part of its period as `credit` states, and bills its last usage. A
 * discount that was redeemed for one without a payment is available again. The customer then returns to the free plan,
 * unless it has another current subscription or has just left the free plan. Another current subscription gets the
 * features that the customer has bought once. The result is the returned amounts.
 */
export async function endSubscription(
  session: Session,
  subscription: Subscription,
  { reason, thenFreePlan, credit = null }: Ending,
): Promise<Returned> {
  const { em, now } = session;
  if (subscription.status === 'incomplete') {
    await releaseRedemption(session, { subscription: subscription.id });
    // It has never begun, and owes nothing of what it committed to.
    subscription.committed = false;
  }
  const wasPaused = subscription.status === 'paused';
  // Parallel reads share a round trip.
  const [period] = await Promise.all([
    endedPeriodOf(session, subscription, wasPaused),
    endReservations(session, subscription),
    endResourceClaims(session, subscription),
  ]);
  await forgetSchedule(session, subscription);
  const worth = credit ? await worthAtEnd(session, subscription, period) : null;
  subscription.cancel(now, reason, credit);
  subscription.commitment = null;
  const [rests] = await Promise.all([
    period ? pendingRests(session, period) : null,
    endPeriods(session, subscription),
    cancelPhases(session, subscription),
    abortUnbegunRuns(session, subscription.id),
    reviewPayments(session, subscription),
    expireAll(session, subscription),
  ]);
  if (rests) cutRests(session, rests, now);
  // The next subscription may open only when this one is not current.
  await em.flush();
  const customer = await subscription.customer.loadOrFail();
  const returned =
    period && credit && worth !== null
      ? await returnUnused(session, customer, period, { worth, credit })
      : nothingReturned;
  if (period) {
    await rollOverUsage(session, subscription, { ended: period, begun: null, grants: 'none' });
    await billLastUsage(session, subscription, period);
  }
  const others = { customer: subscription.customerId, ...grantsAccess };
  const [other] = await em.find(Subscription, others, { orderBy: oldestFirst });
  if (other) await grantPurchases(session, other);
  else if (thenFreePlan && !subscription.isFreePlan) await subscribeToFreePlan(session, customer);
  return returned;
}

/** The period that ends: the current one, or the one that has ended in a pause, whose later usage is owed with it. */
async function endedPeriodOf(session: Session, subscription: Subscription, wasPaused: boolean) {
  const current = await currentPeriod(session, subscription);
  if (current) return current;
  return wasPaused ? lastPeriodOf(session, subscription) : null;
}

/** Ends the items and features of a subscription. */
async function expireAll({ em, now }: Session, { id }: Subscription) {
  const [items, features] = await Promise.all([
    em.find(SubscriptionItem, { subscription: id }),
    em.find(SubscriptionItemFeature, { subscriptionId: id }),
  ]);
  for (const one of [...items, ...features]) one.expire(now);
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
