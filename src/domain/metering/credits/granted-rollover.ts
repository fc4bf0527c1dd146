import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Feature } from '#domain/model/catalog/feature.ts';

/** The rollover of a credit that is to be granted. */
export interface GrantedRollover {
  /** The ends of periods that it may cross. */
  readonly periods: number;
  /** The most units that the end of its period leaves; null for all. */
  readonly limit: Units | null;
}

/** The grant of a feature to an item for a whole period. */
interface Whole {
  /** The credits of a whole period. */
  readonly amount: number;
  readonly quantity: number;
}

/**
 * How a credit of a feature rolls over; null where it expires with its period. A grant for a part of a period has the
 * same part of the limit, rounded down to a unit of 10⁻⁹.
 */
export function rolloverOf(
  { rollover }: Feature,
  amount: Units,
  whole: Whole,
): GrantedRollover | null {
  if (!rollover) return null;
  const { periods, limit, percent } = rollover;
  if (percent != null) return { periods, limit: (amount * BigInt(percent)) / 100n };
  if (limit == null) return { periods, limit: null };
  const most = unitsOf(String(limit)) * BigInt(Math.max(1, whole.quantity));
  return { periods, limit: (most * amount) / unitsOf(String(whole.amount)) };
}
