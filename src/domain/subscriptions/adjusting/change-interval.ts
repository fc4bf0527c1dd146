import { discountPeriod } from '#domain/invoicing/billing/discount-period.ts';
import { taxedItems, taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { endPeriodCredits } from '#domain/metering/credits/end-period-credits.ts';
import { grantMidPeriodCredits } from '#domain/metering/credits/mid-period-credits.ts';
import { rollOverUsage } from '#domain/metering/credits/roll-over-usage.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { mostExpensiveItem } from '#domain/subscriptions/entitlement/most-expensive-item.ts';
import { closePeriod } from '#domain/subscriptions/periods/close-period.ts';
import { commitPeriod } from '#domain/subscriptions/periods/commit-period.ts';
import { endOfPeriod, openPeriod } from '#domain/subscriptions/periods/open-period.ts';
import type { ResolvedItem } from './resolve-items.ts';

/**
 * The interval that a subscription gets with its new items: that of its new main price, if the interval of its
 * present main price differs. Returns null when it keeps its own.
 */
export function newInterval(
  subscription: Subscription,
  oldItems: readonly SubscriptionItem[],
  newItems: readonly Omit<ResolvedItem, 'given'>[],
): Interval | null {
  const before = mostExpensiveItem(oldItems)?.price?.unwrap();
  const { intervalUnit: unit, intervalCount: count } = mostExpensiveItem(newItems)?.price ?? {};
  if (!unit || !count) return null;
  if (before?.intervalUnit === unit && before.intervalCount === count) return null;
  if (subscription.interval === unit && subscription.intervalCount === count) return null;
  return { unit, count };
}

/** Whether a new interval applies only from the end of the running period on, which another one prices. */
export const intervalWaits = ({ billingCycleAnchorDate: from }: Subscription, now: Date) =>
  from != null && from > now;

/** The error message for an interval that leaves no room for a period. */
export const pastLastYear = 'makes the billing period end after the year 9999';

/** Changes the interval of a locked subscription; its periods repeat from an instant. */
export function changeInterval(subscription: Subscription, { unit, count }: Interval, from: Date) {
  subscription.interval = unit;
  subscription.intervalCount = count;
  subscription.billingCycleAnchorDate = from;
  subscription.anchored = false;
}

/** Whether a change of the interval replaces a period from its first instant on, instead of beginning the next one. */
export const isReplaced = ({ startDate }: BillingPeriod, at: Date) =>
  startDate.getTime() === at.getTime();

/**
 * Ends the current period of a locked subscription and opens one by the new interval, which has been paid for. At the
 * very start of a period only its end changes: it keeps its discount, which its payment has used. Usage credits of a
 * period end with it. Errors: BAD_REQUEST past the year 9999.
 */
export async function startPeriodAnew(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
  { items, at }: { items: readonly SubscriptionItem[]; at: Date },
) {
  if (isReplaced(period, at)) {
    const end = endOfPeriod(subscription, at);
    if (!end) throw invalid('OUT_OF_RANGE', 'adjustment', pastLastYear);
    period.endDate = end;
    period.cycleEnd = null;
    subscription.enter(period);
    commitPeriod(subscription, period);
    await endPeriodCredits(session, period);
    await grantMidPeriodCredits(session, subscription, period, { items, at });
    return;
  }
  period.endDate = at;
  await endPeriodCredits(session, period);
  await closePeriod(session, period, subscription.isCharged);
  // The old period must have ended before the new one begins.
  await session.em.flush();
  const next = openPeriod(session, subscription, items, { start: at, last: period });
  await discountPeriod(session, subscription, next, items);
  await rollOverUsage(session, subscription, {
    ended: period,
    begun: next,
    grants: 'changed',
    isCut: true,
  });
  next.prepaid = true;
  next.carriedAmount = next.worthOf(planTotal(items));
  const customer = await subscription.customer.loadOrFail();
  next.carriedWithTax = amountsOf(
    next.carriedAmount,
    await taxRuleOf(session, customer, taxedItems(items)),
  ).total;
}
