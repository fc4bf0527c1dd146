import { invalid } from '../errors.ts';
import { halfUp } from '../invoices/tax.ts';

/** A stretch of time from its first instant up to, and without, its end. */
export interface Stretch {
  readonly startDate: Date;
  readonly endDate: Date;
}

interface Change {
  readonly oldTotal: number;
  readonly newTotal: number;
  /** Whether a whole new period begins with the change. */
  readonly startsPeriod: boolean;
}

/**
 * What a period is worth whose plan changes at `at`: the old total for the part before and the new one for
 * the part after, each rounded half up to a minor unit (reference §5.3). Where a new period begins it is
 * paid for as a whole. Errors: BAD_REQUEST for a period without length, and for an instant outside of it.
 */
export function fairAmount(
  { startDate, endDate }: Stretch,
  at: Date,
  { oldTotal, newTotal, startsPeriod }: Change,
): number {
  const length = BigInt(endDate.getTime() - startDate.getTime());
  const before = BigInt(at.getTime() - startDate.getTime());
  if (length <= 0n)
    throw invalid('id', 'has a billing period without length: nothing to share out');
  if (before < 0n || before > length) {
    throw invalid('id', `is not in its billing period at ${at.toISOString()}`);
  }
  const used = halfUp(BigInt(oldTotal) * before, length);
  return used + (startsPeriod ? newTotal : halfUp(BigInt(newTotal) * (length - before), length));
}

/** How far a period has come, from 0 to 1. */
export const shareOf = ({ startDate, endDate }: Stretch, at: Date): number =>
  (at.getTime() - startDate.getTime()) / (endDate.getTime() - startDate.getTime());
