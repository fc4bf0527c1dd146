import { z } from 'zod';
import { type DomainError, invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { nameInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { positiveDecimalInput, unitsOf } from '#domain/kernel/values/decimal.ts';
import { type AlertKind, limitKinds } from '#domain/model/metering/alert-kinds.ts';

const mostPercentages = 10;
const mostPercent = 1_000;

export const alertFields = {
  threshold: z
    .string()
    .refine(
      (text) => text === '0' || positiveDecimalInput.safeParse(text).success,
      coded('OUT_OF_RANGE', [], `must be a decimal from 0 to ${Number.MAX_SAFE_INTEGER}`),
    ),
  hardLimit: z.boolean(),
  percentages: listInput(
    z
      .int()
      .min(1)
      .max(mostPercent)
      .refine(
        (percentage) => percentage !== 100,
        coded('INVALID', [], 'must not be 100, the threshold itself'),
      ),
    mostPercentages,
  )
    .refine(
      (all) => new Set(all).size === all.length,
      coded('INVALID', [], 'must be different from each other'),
    )
    .transform((all) => all.toSorted((a, b) => a - b)),
};

export const alertName = nameInput.nullish();

/** A threshold that differs from the present one as a number; undefined otherwise: «100.0» is no change of «100». */
export const changedThreshold = (
  present: string,
  given: string | null | undefined,
): string | undefined => (given == null || unitsOf(given) === unitsOf(present) ? undefined : given);

interface Terms {
  readonly kind: AlertKind;
  readonly threshold: string;
  readonly hardLimit: boolean;
  readonly percentages: readonly number[];
}

/**
 * The reason why the terms of an alert do not fit its kind, with a path below `field`; undefined when they do.
 */
export function termsProblem(
  { kind, threshold, hardLimit, percentages }: Terms,
  field: 'alert' | 'alertRule' = 'alert',
): DomainError | undefined {
  if (kind !== 'credits' && threshold === '0') {
    return invalid('OUT_OF_RANGE', `${field}.threshold`, `must be above 0 for ${kind}`);
  }
  if (threshold === '0' && percentages.length > 0) {
    return invalid('NOT_ALLOWED', `${field}.percentages`, 'must be empty for a threshold of 0');
  }
  if (kind === 'spend' && threshold.includes('.')) {
    return invalid('INVALID', `${field}.threshold`, 'must be a whole number of minor units');
  }
  if (hardLimit && !limitKinds.includes(kind)) {
    const kinds = limitKinds.join(', ');
    return invalid('NOT_ALLOWED', `${field}.hardLimit`, `is allowed for ${kinds} only`);
  }
  return undefined;
}
