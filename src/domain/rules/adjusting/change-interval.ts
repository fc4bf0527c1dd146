import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { amountsOf } from '#domain/invoices/tax.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/prices/price.ts';
import { mostExpensiveItem } from '#domain/rules/entitlement/most-expensive-item.ts';
import { taxedItems, taxRuleOf } from '#domain/rules/invoicing/tax-rule.ts';
import { endPeriodCredits } from '#domain/rules/ledger/end-period-credits.ts';
import { grantMidPeriodCredits } from '#domain/rules/ledger/mid-period-credits.ts';
import { rollOverUsage } from '#domain/rules/ledger/roll-over-usage.ts';
import { closePeriod } from '#domain/rules/periods/close-period.ts';
import { commitPeriod } from '#domain/rules/periods/commit-period.ts';
import { discountPeriod } from '#domain/rules/periods/discount-period.ts';
import { endOfPeriod, openPeriod } from '#domain/rules/periods/open-period.ts';
import type { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { planTotal } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import type { ResolvedItem } from './resolve-items.ts';

/**
 * The interval that a subscription gets with its new items: that of its new main price, if the interval of its
 * present main price differs. Returns null when it keeps its own.
 */
export function newInterval(
  subscription: Subscription,
  oldItems: readonly SubscriptionItem[],
  newItems: readonly ResolvedItem[],
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
  const next = openPeriod(session, subscription, items, { start: at, lastId: period.id });
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
