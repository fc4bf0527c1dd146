import { halfUp } from '#domain/invoices/tax.ts';
import { invalid } from '#domain/kernel/errors.ts';

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

/** A change of a plan within a period, by what its items cost in a whole one, in minor units. */
export interface PlanChange {
  /** What they cost until then, also where that came without proration. */
  readonly oldTotal: number;
  readonly newTotal: number;
  /** Whether a whole new period begins with the change. */
  readonly startsPeriod: boolean;
}

/** What of a period has been used at `at`, in minor units: each part by its plan, rounded half up. */
export function usedAmount(stretch: Stretch, at: Date): number {
  const { startDate, endDate, since, used, total } = stretch;
  const length = BigInt(endDate.getTime() - startDate.getTime());
  if (length <= 0n)
    throw invalid('id', 'has a billing period of length 0, which cannot be prorated');
  if (at < since || at > endDate) {
    throw invalid('id', `is not in its billing period at ${at.toISOString()}`);
  }
  return used + halfUp(BigInt(total) * BigInt(at.getTime() - since.getTime()), length);
}

/**
 * What a whole period is worth from a prorated change on that went by `total` before: more by what becomes
 * dearer than the items were and than the period went by, less by what becomes cheaper than both. So what
 * changed without proration is neither charged for nor credited by a later change; where nothing did,
 * `oldTotal` is `total`, and what comes out is `newTotal`. A period that begins is worth its items.
 */
export function worthAfter(
  total: number,
  { oldTotal, newTotal, startsPeriod }: PlanChange,
): number {
  if (startsPeriod) return newTotal;
  const dearer = Math.max(0, newTotal - Math.max(oldTotal, total));
  const cheaper = Math.max(0, Math.min(oldTotal, total) - newTotal);
  return total + dearer - cheaper;
}

/**
 * What a period is worth whose plan changes at `at`: what it went by for the part before and the new worth
 * for the part after, each rounded half up to a minor unit. Where a new period begins it is
 * paid for as a whole; a change that leaves its worth shares nothing out. Errors: BAD_REQUEST for a period without
 * length, and for an instant outside of it.
 */
export function fairAmount(stretch: Stretch, at: Date, change: PlanChange): number {
  const used = usedAmount(stretch, at);
  const total = worthAfter(stretch.total, change);
  if (change.startsPeriod) return used + total;
  if (total === stretch.total) return usedAmount(stretch, stretch.endDate);
  return used + usedAmount({ ...stretch, since: at, used: 0, total }, stretch.endDate);
}

/** How far a period has come, from 0 to 1. */
export const shareOf = ({ startDate, endDate }: Pick<Stretch, 'startDate' | 'endDate'>, at: Date) =>
  (at.getTime() - startDate.getTime()) / (endDate.getTime() - startDate.getTime());
