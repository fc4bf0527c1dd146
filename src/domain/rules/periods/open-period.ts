import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingPeriodItem } from '#domain/billing-periods/billing-period-item.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { latestInstant } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { planTotal } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { comingPeriodId } from './coming-period.ts';
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
 * they are then. A trial has none, and items that were added by hand are not charged. `lastId` is the period that it
 * follows; usage may count for it already. Errors: BAD_REQUEST for a period that ends after the year 9999.
 */
export function openPeriod(
  { em }: Session,
  subscription: Subscription,
  items: readonly SubscriptionItem[],
  { start, lastId }: { readonly start: Date; readonly lastId: string | null },
): BillingPeriod {
  const endDate = endOfPeriod(subscription, start);
  if (!endDate) {
    throw invalid(
      'OUT_OF_RANGE',
      'intervalCount',
      'makes the billing period end after the year 9999',
    );
  }
  const trialPeriod = subscription.trialEnd != null && start < subscription.trialEnd;
  const charged = trialPeriod ? [] : items.filter(({ manuallyCreated }) => !manuallyCreated);
  const isPaidElsewhere = subscription.paidUntil != null && start < subscription.paidUntil;
  const period = em.create(BillingPeriod, {
    ...(lastId !== null && { id: comingPeriodId(lastId) }),
    subscription,
    customerId: subscription.customerId,
    startDate: start,
    endDate,
    cycleStart: trialPeriod ? null : cycleStartOf(subscription, start),
    status: 'active',
    trialPeriod,
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
