import type { Units } from '#domain/kernel/values/decimal.ts';
import { ranOutWithin, soonestFirst } from './credit-order.ts';
import { type Credit, type Ledger, lowest, type Period } from './ledger.ts';

/** A correction of a period: an event is voided, or one replaces another. Times are milliseconds. */
export interface Correction {
  /** When the event was recorded, or the first one that it replaces. */
  readonly recordedAt: number;
  /**
   * For each instant since then at which a credit expired: the usage of the period's events that were recorded
   * before.
   */
  readonly usedBefore: ReadonlyMap<number, Units>;
}

/** The credits of a ledger that could cover an event of a period when it was recorded, and have expired since. */
export const ranOutSince = ({ credits, now }: Ledger, period: Period, recordedAt: number) =>
  credits.filter(
    (credit) => ranOutWithin(period, credit, now) && (credit.expiresAt as number) > recordedAt,
  );

/** The usage of a period that is covered by credits that had expired by an instant. */
const coveredUntil = ({ credits, now }: Ledger, period: Period, at: number) =>
  credits
    .filter((credit) => ranOutWithin(period, credit, now) && (credit.expiresAt as number) <= at)
    .reduce((sum, { applied }) => sum + (applied.get(period.id) ?? 0n), 0n);

/**
 * How much more of a period a credit may cover that expired within it. Together with earlier expired credits it
 * covers no more than the usage until its expiry, as it is known now. Without a correction it is 0.
 */
export function roomOf(
  ledger: Ledger,
  period: Period,
  credit: Credit,
  correction?: Correction,
): Units {
  const expiresAt = credit.expiresAt as number;
  if (!correction?.usedBefore.has(expiresAt)) return 0n;
  let room = credit.expired;
  for (const [at, used] of correction.usedBefore) {
    if (at >= expiresAt) room = lowest(room, used - coveredUntil(ledger, period, at));
  }
  return room > 0n ? room : 0n;
}

/** Removes the excess coverage from credits that expired within a period. Returns how much. */
export function returnExcess(ledger: Ledger, period: Period, correction: Correction): Units {
  let returned = 0n;
  const credits = ranOutSince(ledger, period, correction.recordedAt).sort(soonestFirst).reverse();
  for (const [at, used] of [...correction.usedBefore].sort(([a], [b]) => a - b)) {
    let excess = coveredUntil(ledger, period, at) - used;
    for (const credit of credits.filter(({ expiresAt }) => (expiresAt as number) <= at)) {
      const covered = credit.applied.get(period.id) ?? 0n;
      const back = lowest(excess, covered);
      if (back <= 0n) continue;
      credit.applied.set(period.id, covered - back);
      credit.expired += back;
      ledger.changedCredits.add(credit);
      excess -= back;
      returned += back;
    }
  }
  return returned;
}
