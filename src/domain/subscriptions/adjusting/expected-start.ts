import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import { nextBoundary } from '#domain/subscriptions/periods/next-boundary.ts';
import { anchorOf } from '#domain/subscriptions/periods/open-period.ts';

/**
 * The instant at which a planned phase of a subscription starts, if the interval stays and no pause comes between: its
 * date, or a boundary. Null for a phase that is not planned, before the first billing period, in a pause of the billing, and after the end.
 */
export function expectedStart(
  { status, startsAt, timing }: SubscriptionPhase,
  subscription: Subscription,
): Date | null {
  const { currentBillingPeriodEnd: end, interval, intervalCount, cancelScheduledAt } = subscription;
  if (status !== 'planned' || subscription.pausesBilling || !end || !interval) return null;
  const every = { unit: interval, count: intervalCount ?? 1 };
  // A boundary at the planned start counts.
  const last = new Date(startsAt.getTime() - 1);
  const isAtDate =
    timing === 'at_date' && subscription.phaseStartAt && startsAt >= subscription.phaseStartAt;
  const boundary = startsAt <= end ? end : nextBoundary(anchorOf(subscription), every, last);
  const at = isAtDate ? startsAt : boundary;
  return cancelScheduledAt && cancelScheduledAt <= at ? null : at;
}
