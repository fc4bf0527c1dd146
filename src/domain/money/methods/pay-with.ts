import { ref } from '@mikro-orm/core';
import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { discountPeriod } from '#domain/invoicing/billing/discount-period.ts';
import { scheduleFirstRun } from '#domain/invoicing/billing/schedule-run.ts';
import { areCharged, usageLines } from '#domain/invoicing/billing/usage-lines.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { atInstant } from '#domain/platform/locks/at-instant.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import {
  followMostExpensiveItem,
  planName,
} from '#domain/subscriptions/entitlement/most-expensive-item.ts';
import { chargeOwed } from '#domain/subscriptions/lifecycle/charge-owed.ts';
import { endItemTrials } from '#domain/subscriptions/lifecycle/end-item-trials.ts';
import { startPhases } from '#domain/subscriptions/lifecycle/start-phases.ts';
import { type KeptCycle, prorateFirst } from '#domain/subscriptions/periods/kept-cycle.ts';
import { openPeriod } from '#domain/subscriptions/periods/open-period.ts';

/**
 * Charges the subscriptions of a locked customer with a payment method. Pending retries run now, and amounts owed
 * without a retry are charged. Subscriptions that waited for a payment method to begin now begin.
 */
export async function payWith(session: Session, method: PaymentMethod) {
  for (const subscription of await lockSubscriptionsOf(session, method.customerId)) {
    // A free plan is charged for usage alone, by the payment method that the customer has then.
    const charged = subscription.isFreePlan ? null : method;
    await paySubscription(session, subscription, charged);
  }
  await session.em.flush();
}

/**
 * The same for one locked subscription; without a payment method it keeps its own. One that begins now may keep the
 * billing cycle of the free plan that it replaces.
 */
export async function paySubscription(
  session: Session,
  subscription: Subscription,
  method: PaymentMethod | null,
  kept: KeptCycle | null = null,
) {
  if (subscription.isTerminal || subscription.doNotCharge || !subscription.renews) return;
  if (method) subscription.defaultPaymentMethod = ref(method);
  const open = { subscription: subscription.id, status: 'scheduled' as const };
  for (const run of await session.em.find(BillingRun, open)) {
    if (run.attemptNumber > 1) bringForward(run, session.now);
  }
  if (subscription.currentBillingPeriodEnd === null) {
    await beginPeriods(session, subscription, kept);
  } else if (await owes(session, subscription)) {
    await chargeOwed(session, subscription);
  }
}

/** Whether an amount is due for which no run is scheduled; of a free plan also usage that is not billed yet. */
async function owes(session: Session, subscription: Subscription): Promise<boolean> {
  if (['past_due', 'unpaid'].includes(subscription.status)) return true;
  return subscription.isFreePlan && areCharged(await usageLines(session, subscription, 0));
}

function bringForward(run: BillingRun, now: Date) {
  run.scheduledFor = now;
  run.dueAt = now;
}

/** Starts the first period of a locked subscription when there is a payment method, or none is needed. */
export async function beginPeriods(
  session: Session,
  subscription: Subscription,
  kept: KeptCycle | null = null,
) {
  const { em, now } = session;
  const start = subscription.startDate > now ? subscription.startDate : now;
  const { anchored } = subscription;
  if (!anchored) subscription.billingCycleAnchorDate = kept?.anchor ?? start;
  const first = anchored ? (kept?.from ?? start) : (kept?.start ?? start);
  // A trial that ends before the first period leaves no rest: the period charges the item.
  if (subscription.itemTrialEndAt && subscription.itemTrialEndAt <= start) {
    await endItemTrials(atInstant(session, start), subscription);
    atInstant(session, now);
  }
  const { interval, intervalCount } = subscription;
  const before = planName(await plannedItemsAt(session, subscription, start));
  const hasPhase = await startPhases(atInstant(session, start), subscription);
  atInstant(session, now);
  const items = await plannedItemsAt(session, subscription, start);
  // A phase with another interval leaves the cycle of the free plan.
  const isNew = subscription.interval !== interval || subscription.intervalCount !== intervalCount;
  const period = openPeriod(session, subscription, items, {
    start: isNew ? start : first,
    last: null,
  });
  await discountPeriod(session, subscription, period, items);
  await prorateFirst(session, period, (!isNew && kept) || undefined);
  scheduleFirstRun(session, subscription, period);
  if (hasPhase) {
    followMostExpensiveItem(subscription, items, before);
    await em.flush();
    await markTemporaryClaims(session, subscription.id);
  }
  return period;
}

async function plannedItemsAt({ em }: Session, { id }: Subscription, at: Date) {
  const items = await em.find(SubscriptionItem, { subscription: id }, { populate: ['price'] });
  return items.filter((item) => !item.isExpired(at));
}
