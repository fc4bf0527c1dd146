import { invalid } from '#domain/kernel/errors.ts';
import { halfUp } from '#domain/kernel/values/decimal.ts';

/** A period that is prorated: its first instant, the instant after it, and its present plan. */
export interface Stretch {
  readonly startDate: Date;
  readonly endDate: Date;
  /** The start of the present plan: the start of the period, or the last adjustment. */
  readonly since: Date;
  /** The worth of the part before that, in minor units. */
  readonly used: number;
  /** The worth of a whole period by the present plan, in minor units. */
  readonly total: number;
  /** The worth of items in a whole period that pending one-off charges bill after their trials; 0 when absent. */
  readonly apart?: number;
}

/** A change of a plan within a period, by the costs of its items in a whole one, in minor units. */
export interface PlanChange {
  /** The costs until then, also after changes without proration. */
  readonly oldTotal: number;
  readonly newTotal: number;
  /** Whether a whole new period begins with the change. */
  readonly startsPeriod: boolean;
}

/** The worth of a period until `at`, in minor units: each part by its plan, rounded half up. */
export function usedAmount(stretch: Stretch, at: Date): number {
  const { startDate, endDate, since, used, total } = stretch;
  const length = BigInt(endDate.getTime() - startDate.getTime());
  if (length <= 0n)
    throw invalid(
      'INVALID_STATE',
      'id',
      'has a billing period of length 0, which cannot be prorated',
    );
  if (at < since || at > endDate) {
    throw invalid('INVALID_STATE', 'id', `is not in its billing period at ${at.toISOString()}`);
  }
  return used + halfUp(BigInt(total) * BigInt(at.getTime() - since.getTime()), length);
}

/**
 * The worth of a whole period after a prorated change, where `total` was its worth before. It rises as far as
 * `newTotal` exceeds both `oldTotal` and `total`, and falls as far as it is below both. So a later change neither
 * charges nor credits changes without proration. Without such changes `oldTotal` equals `total`, and the result is
 * `newTotal`. A new period is worth its items.
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

/** Whether a change has an effect on the worth of a period, so that the period charges all of its items from then on. */
export const changesWorth = ({ total, apart = 0 }: Stretch, change: PlanChange): boolean =>
  change.startsPeriod || worthAfter(total + apart, change) !== total + apart;

/**
 * The worth of a whole period after a change. Where the change has an effect, it includes the items that one-off charges
 * bill until then.
 */
export const totalAfter = (stretch: Stretch, change: PlanChange): number =>
  changesWorth(stretch, change)
    ? worthAfter(stretch.total + (stretch.apart ?? 0), change)
    : stretch.total;

/** The worth of a period whose plan changes, in minor units. */
export interface ChangedWorth {
  /** The worth of the part before the change, by the old plan. */
  readonly before: number;
  /** The worth of the part after it, by the new plan; 0 for a change that leaves the worth of the period. */
  readonly after: number;
  /** The worth of a whole period after it. */
  readonly total: number;
}

/**
 * The parts of a period whose plan changes at `at`, each rounded half up to a minor unit. A new period is paid for as a
 * whole; a change that leaves the worth is not prorated. Errors: BAD_REQUEST for a period without length, and for an
 * instant outside of it.
 */
export function changedWorth(stretch: Stretch, at: Date, change: PlanChange): ChangedWorth {
  const before = usedAmount(stretch, at);
  const total = totalAfter(stretch, change);
  // A kept period has a part before its charge, below 0 where its discount is larger than its share of it.
  if (change.startsPeriod) return { before: Math.max(0, before), after: total, total };
  if (total === stretch.total) {
    return { before: usedAmount(stretch, stretch.endDate), after: 0, total };
  }
  const after = usedAmount({ ...stretch, since: at, used: 0, total }, stretch.endDate);
  return { before, after, total };
}

/** The worth of a period whose plan changes at `at`: the sum of its parts. Errors: as `changedWorth`. */
export function fairAmount(stretch: Stretch, at: Date, change: PlanChange): number {
  const { before, after } = changedWorth(stretch, at, change);
  return Math.max(0, before + after);
}

/** The elapsed share of a period, from 0 to 1. */
export const shareOf = ({ startDate, endDate }: Pick<Stretch, 'startDate' | 'endDate'>, at: Date) =>
  (at.getTime() - startDate.getTime()) / (endDate.getTime() - startDate.getTime());
