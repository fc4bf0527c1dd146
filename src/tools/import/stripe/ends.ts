import type { Interval } from '#domain/model/catalog/price.ts';
import { mostPeriods } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { nextBoundary } from '#domain/subscriptions/periods/next-boundary.ts';
import type { SourceSubscription } from '../source/source.ts';
import type { StripeSubscription } from './shapes.ts';

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
function periodsUntil({ from, interval }: Timeline, end: Date): number | undefined {
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

/** The end of a subscription: with its period, after a number of periods, or at an instant. */
export type SourceEnd = Pick<SourceSubscription, 'endsWithPeriod' | 'periodCount' | 'endsAt'>;

/** How a subscription ends. */
export function endOf(
  { cancel_at, cancel_at_period_end }: StripeSubscription,
  times: Timeline,
): SourceEnd {
  if (cancel_at_period_end) return { endsWithPeriod: true };
  return cancel_at ? endAt(cancel_at, times) : { endsWithPeriod: false };
}

/** The same for an end at an instant. */
export function endAt(end: Date, times: Timeline): SourceEnd {
  if (end.getTime() === times.next.getTime()) return { endsWithPeriod: true };
  const periodCount = times.billingCycleAnchorDate ? undefined : periodsUntil(times, end);
  return periodCount && end > times.next
    ? { endsWithPeriod: false, periodCount }
    : { endsWithPeriod: false, endsAt: end };
}
