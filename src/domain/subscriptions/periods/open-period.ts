import { invalid } from '#domain/kernel/errors.ts';
import { latestInstant } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { comingPeriodId } from '#domain/metering/ledger/coming-period.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { BillingPeriodItem } from '#domain/model/subscriptions/billing-period-item.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { commitPeriod } from './commit-period.ts';
import { cycleAt, nextBoundary } from './next-boundary.ts';

/**
 * The instant from which the paid periods of a subscription repeat: its anchor, or a later end of the trial where the
 * anchor was not chosen. The anchor is before its start where it has kept the billing cycle of another subscription.
 */
export function anchorOf(subscription: Subscription): Date {
  const { trialEnd, billingCycleAnchorDate, startDate, anchored } = subscription;
  const anchor = billingCycleAnchorDate ?? startDate;
  return trialEnd && trialEnd > anchor && !anchored ? trialEnd : anchor;
}

/** The start of the cycle that a paid period from `start` on ends, where its anchor was chosen; null for a whole one. */
function cycleStartOf(subscription: Subscription, start: Date): Date | null {
  const { anchored, interval, intervalCount } = subscription;
  if (!anchored || !interval) return null;
  const cycle = cycleAt(
    anchorOf(subscription),
    { unit: interval, count: intervalCount ?? 1 },
    start,
  );
  return cycle.start < start ? cycle.start : null;
}

/** The part of a cycle that a period covers; `cycleStart` and `cycleEnd` are null where it starts and ends with the cycle. */
function partOf(subscription: Subscription, start: Date, last: BillingPeriod | null) {
  const whole = endOfPeriod(subscription, start);
  if (!whole) return null;
  const trialPeriod = subscription.trialEnd != null && start < subscription.trialEnd;
  if (trialPeriod) return { trialPeriod, endDate: whole, cycleStart: null, cycleEnd: null };
  // The period before had the first part of the cycle, since the subscription was to end with it.
  const isRest = last?.cycleEnd?.getTime() === whole.getTime() && last.endDate <= start;
  const cycleStart = isRest
    ? (last.cycleStart ?? last.startDate)
    : cycleStartOf(subscription, start);
  const { cancelScheduledAt: end } = subscription;
  const isCut = end != null && end > start && end < whole;
  return {
    trialPeriod,
    endDate: isCut ? end : whole,
    cycleStart,
    cycleEnd: isCut ? whole : null,
  };
}

/** The end of a period of this subscription that starts at `start`; null past the year 9999. */
export function endOfPeriod(subscription: Subscription, start: Date): Date | null {
  const { interval, intervalCount, trialEnd } = subscription;
  if (trialEnd && start < trialEnd) return trialEnd;
  const unit = interval ?? 'month';
  const end = nextBoundary(anchorOf(subscription), { unit, count: intervalCount ?? 1 }, start);
  return end.getTime() <= latestInstant ? end : null;
}

/**
 * Opens the period that starts at `start` and makes it the subscription's current one. The period copies the items as
 * they are then. A trial has none, and items that were added by hand are not charged. `last` is the period that it
 * follows; usage may count for it already. A scheduled end shortens it. Errors: BAD_REQUEST for a period that ends after
 * the year 9999.
 */
export function openPeriod(
  { em }: Session,
  subscription: Subscription,
  items: readonly SubscriptionItem[],
  { start, last }: { readonly start: Date; readonly last: BillingPeriod | null },
): BillingPeriod {
  const part = partOf(subscription, start, last);
  if (!part) {
    throw invalid(
      'OUT_OF_RANGE',
      'intervalCount',
      'makes the billing period end after the year 9999',
    );
  }
  const { trialPeriod } = part;
  const charged = trialPeriod ? [] : items.filter(({ manuallyCreated }) => !manuallyCreated);
  const isPaidElsewhere = subscription.paidUntil != null && start < subscription.paidUntil;
  const period = em.create(BillingPeriod, {
    ...(last && { id: comingPeriodId(last.id) }),
    subscription,
    customerId: subscription.customerId,
    startDate: start,
    ...part,
    status: 'active',
    paidElsewhereAmount: isPaidElsewhere ? planTotal(charged) : null,
  });
  for (const [position, item] of charged.entries()) {
    em.create(BillingPeriodItem, {
      billingPeriod: period,
      position,
      name: item.name,
      description: '',
      unitPrice: item.unitPrice,
      quantity: item.quantity,
      pricing: item.pricing ?? null,
      priceId: item.priceId,
      subscriptionItemId: item.id,
    });
  }
  subscription.enter(period);
  commitPeriod(subscription, period);
  if (!trialPeriod) subscription.countPeriod();
  return period;
}
