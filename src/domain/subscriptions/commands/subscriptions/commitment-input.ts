import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { countInput } from '#domain/kernel/inputs/inputs.ts';
import { type Interval, intervalUnits } from '#domain/model/catalog/price.ts';
import {
  type Commitment,
  countedAmounts,
  periodsOf,
  trueUpTimings,
} from '#domain/model/subscriptions/commitment.ts';

/** The largest amount of a commitment, and at which usage is billed, in minor units: an invoice has room for its tax and for other lines. */
const largest = 10 ** 14;

/** The largest number of billing periods of a term. */
const mostPeriods = 120;

/** The amount of unbilled usage at which it is billed within its period, in minor units. */
export const billAtInput = z.int().min(1).max(largest);

export const commitmentInput = z.object({
  amount: z.int().min(1).max(largest),
  interval: z.enum(intervalUnits).nullish(),
  intervalCount: countInput.max(1_000).nullish(),
  trueUp: z.enum(trueUpTimings).nullish(),
  counts: z.enum(countedAmounts).nullish(),
});

/**
 * The commitment that an input describes, for billing periods of an interval. A term has the length of one period unless
 * the input states another one. Errors: BAD_REQUEST for a term that billing periods do not fill.
 */
export function commitmentOf(
  { amount, interval: unit, intervalCount, trueUp, counts }: z.output<typeof commitmentInput>,
  period: Interval,
): Commitment {
  if (unit == null && intervalCount != null) {
    throw invalid('REQUIRED', 'commitment.interval', 'must be given with intervalCount');
  }
  const interval = unit == null ? period : { unit, count: intervalCount ?? 1 };
  const periods = periodsOf(interval, period);
  if (periods === null || periods > mostPeriods) {
    const why = `must be a multiple of the billing interval, ${period.count} ${period.unit}, and at most ${mostPeriods} of them`;
    throw invalid('INVALID', 'commitment.interval', why);
  }
  return {
    amount,
    interval,
    trueUp: trueUp ?? 'at_end',
    counts: counts ?? 'usage',
    term: null,
  };
}
