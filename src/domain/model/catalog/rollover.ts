import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { countInput } from '#domain/kernel/inputs/inputs.ts';

/** How the credits of a feature that a billing period leaves unused continue in later ones. */
export interface RolloverTerms {
  /** The ends of billing periods that they may cross; at the next one they expire. */
  readonly periods: number;
  /** The most credits of one period that roll over, for one unit of the product; null without this limit. */
  readonly limit: number | null;
  /** The same limit as a percentage of the granted credits; null without this limit. */
  readonly percent: number | null;
}

/** The largest number of billing periods for which credits roll over. */
const mostPeriods = 120;

export const rolloverInput = z
  .object({
    periods: z.int().min(1).max(mostPeriods).nullish(),
    limit: countInput.nullish(),
    percent: z.int().min(1).max(100).nullish(),
  })
  .refine(
    ({ limit, percent }) => limit == null || percent == null,
    coded('INVALID', 'percent', 'give either limit or percent'),
  );

/** The terms that an input states: one period and no limit unless it does. */
export const rolloverTerms = (
  rollover: z.output<typeof rolloverInput> | null | undefined,
): RolloverTerms | null =>
  rollover
    ? {
        periods: rollover.periods ?? 1,
        limit: rollover.limit ?? null,
        percent: rollover.percent ?? null,
      }
    : null;
