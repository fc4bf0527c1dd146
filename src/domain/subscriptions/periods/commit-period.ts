import type { Interval } from '#domain/model/catalog/price.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { partOf, periodsOf, type RunningTerm } from '#domain/model/subscriptions/commitment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/**
 * Counts a period that has just begun for the commitment of its subscription, and keeps the terms with it. A trial and a
 * period that is paid elsewhere commit nothing. A new term begins after the last period of a term, and with another
 * interval.
 */
export function commitPeriod(subscription: Subscription, period: BillingPeriod) {
  const { commitment, interval: unit, intervalCount } = subscription;
  period.commitment = null;
  if (!commitment || !unit || period.trialPeriod || period.paidElsewhere) return;
  const interval = { unit, count: intervalCount ?? 1 };
  const { startDate, endDate, wholeStart } = period;
  const { amount, trueUp, counts } = commitment;
  const running = continued(commitment.term, interval);
  const term = running ?? {
    start: startDate.getTime(),
    interval,
    periods: periodsOf(commitment.interval, interval) ?? 1,
    begun: 1,
  };
  subscription.commitment = { ...commitment, term };
  const from = startDate > subscription.startDate ? startDate : subscription.startDate;
  period.commitment = {
    amount,
    trueUp,
    counts,
    term: term.start,
    periods: term.periods,
    place: term.begun,
    part: partOf(commitment.interval, interval),
    cycle: [wholeStart.getTime(), endDate.getTime()],
    from: from.getTime(),
  };
}

/** The running term with one period more; null where the next period begins another term. */
function continued(term: RunningTerm | null, interval: Interval): RunningTerm | null {
  if (!term || term.begun >= term.periods) return null;
  if (term.interval.unit !== interval.unit || term.interval.count !== interval.count) return null;
  return { ...term, begun: term.begun + 1 };
}
