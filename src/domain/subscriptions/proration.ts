import { invalid } from '../errors.ts';
import { halfUp } from '../invoices/tax.ts';

/** A period that is shared out: its first instant, the instant after it, and by which plan it goes. */
export interface Stretch {
  readonly startDate: Date;
  readonly endDate: Date;
  /** Since when it goes by its present plan: its start, or the last adjustment. */
  readonly since: Date;
  /** What the part before that was worth, in minor units. */
  readonly used: number;
  /** What a whole period by the present plan is worth. */
  readonly total: number;
}

interface Change {
  readonly newTotal: number;
  /** Whether a whole new period begins with the change. */
  readonly startsPeriod: boolean;
}

/** What of a period has been used at `at`, in minor units: each part by its plan, rounded half up. */
export function usedAmount(stretch: Stretch, at: Date): number {
  const { startDate, endDate, since, used, total } = stretch;
  const length = BigInt(endDate.getTime() - startDate.getTime());
  if (length <= 0n)
    throw invalid('id', 'has a billing period without length: nothing to share out');
  if (at < since || at > endDate) {
    throw invalid('id', `is not in its billing period at ${at.toISOString()}`);
  }
  return used + halfUp(BigInt(total) * BigInt(at.getTime() - since.getTime()), length);
}

/**
 * What a period is worth whose plan changes at `at`: the old total for the part before and the new one for
 * the part after, each rounded half up to a minor unit (reference §5.3). Where a new period begins it is
 * paid for as a whole; a plan of the same worth shares nothing out. Errors: BAD_REQUEST for a period without
 * length, and for an instant outside of it.
 */
export function fairAmount(stretch: Stretch, at: Date, { newTotal, startsPeriod }: Change): number {
  const used = usedAmount(stretch, at);
  if (startsPeriod) return used + newTotal;
  if (newTotal === stretch.total) return usedAmount(stretch, stretch.endDate);
  return used + usedAmount({ ...stretch, since: at, used: 0, total: newTotal }, stretch.endDate);
}

/** How far a period has come, from 0 to 1. */
export const shareOf = ({ startDate, endDate }: Pick<Stretch, 'startDate' | 'endDate'>, at: Date) =>
  (at.getTime() - startDate.getTime()) / (endDate.getTime() - startDate.getTime());
