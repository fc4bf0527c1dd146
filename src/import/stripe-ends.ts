import type { Interval } from '#domain/prices/price.ts';
import { nextBoundary } from '#domain/rules/periods/next-boundary.ts';
import { mostPeriods } from '#domain/subscriptions/create-subscription-input.ts';
import type { SourceSubscription } from './source.ts';
import type { StripeSubscription } from './stripe-shapes.ts';
import type { Tell } from './stripe-subscriptions.ts';

/** When a subscription is billed. */
export interface Timeline {
  /** The instant from which its charged periods are counted. */
  readonly from: Date;
  /** Its next payment: the end of its period or of its trial. */
  readonly next: Date;
  readonly interval: Interval;
  readonly paidUntil?: Date | undefined;
  readonly trialEnd?: Date | undefined;
  readonly billingCycleAnchorDate?: Date | undefined;
}

/** The number of payments from the next one on, before an instant. */
export function paymentsUntil({ from, next, interval }: Timeline, end: Date): number {
  let count = 0;
  for (let at = next; at < end && count < mostPeriods; count++)
    at = nextBoundary(from, interval, at);
  return count;
}

/** The number of periods from `from` to an instant; undefined where that is no boundary. */
export function periodsUntil({ from, interval }: Timeline, end: Date): number | undefined {
  let at = from;
  for (let count = 0; count <= mostPeriods; count++) {
    if (at.getTime() === end.getTime()) return count;
    if (at > end) return undefined;
    at = nextBoundary(from, interval, at);
  }
  return undefined;
}

/** The first boundary at an instant or later. */
export function boundaryAt({ from, interval }: Timeline, at: Date): Date {
  return at <= from ? from : nextBoundary(from, interval, new Date(at.getTime() - 1));
}

/** How a subscription ends: with its period, or after a number of periods. Another end is reported. */
export function endOf(
  { cancel_at, cancel_at_period_end }: StripeSubscription,
  times: Timeline,
  tell: Tell,
): Pick<SourceSubscription, 'endsWithPeriod' | 'periodCount'> {
  if (cancel_at_period_end) return { endsWithPeriod: true };
  return cancel_at ? endAt(cancel_at, 'cancel_at', times, tell) : { endsWithPeriod: false };
}

/** The same for an end at an instant, which a field of the source states. */
export function endAt(
  end: Date,
  field: string,
  times: Timeline,
  { lose }: Pick<Tell, 'lose'>,
): Pick<SourceSubscription, 'endsWithPeriod' | 'periodCount'> {
  if (end.getTime() === times.next.getTime()) return { endsWithPeriod: true };
  const periodCount = times.billingCycleAnchorDate ? undefined : periodsUntil(times, end);
  if (periodCount && end > times.next) return { endsWithPeriod: false, periodCount };
  lose(
    `${field} is not carried over: it ends there on ${end.toISOString()}, within a period. Cancel it here at that time`,
  );
  return { endsWithPeriod: false };
}
