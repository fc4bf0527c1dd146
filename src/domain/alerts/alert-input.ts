import { z } from 'zod';
import { positiveDecimalInput } from '#domain/kernel/decimal.ts';
import { type DomainError, invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/input-issues.ts';
import { nameInput } from '#domain/kernel/inputs.ts';
import { type AlertKind, limitKinds } from './alert.ts';

export const alertFields = {
  threshold: z
    .string()
    .refine(
      (text) => text === '0' || positiveDecimalInput.safeParse(text).success,
      coded('OUT_OF_RANGE', [], `must be a decimal from 0 to ${Number.MAX_SAFE_INTEGER}`),
    ),
  hardLimit: z.boolean(),
};

export const alertName = nameInput.nullish();

interface Terms {
  readonly kind: AlertKind;
  readonly threshold: string;
  readonly hardLimit: boolean;
}

/** The reason why the terms of an alert do not fit its kind; undefined when they do. */
export function termsProblem({ kind, threshold, hardLimit }: Terms): DomainError | undefined {
  if (kind !== 'credits' && threshold === '0') {
    return invalid('OUT_OF_RANGE', 'alert.threshold', `must be above 0 for ${kind}`);
  }
  if (kind === 'spend' && threshold.includes('.')) {
    return invalid('INVALID', 'alert.threshold', 'must be a whole number of minor units');
  }
  if (hardLimit && !limitKinds.includes(kind)) {
    const kinds = limitKinds.join(', ');
    return invalid('NOT_ALLOWED', 'alert.hardLimit', `is allowed for ${kinds} only`);
  }
  return undefined;
}
