import type { Units } from '#domain/kernel/values/decimal.ts';
import { isUsable, ranOutWithin, soonestFirst } from './credit-order.ts';
import {
  type Credit,
  coveredOf,
  type Ledger,
  lowest,
  noPeriod,
  owedOf,
  type Period,
  post,
  type Source,
  totalOf,
  usageOf,
} from './ledger.ts';
import { expiredFor, noteReturned, noteTaken, waitsForEnd } from './roll-over-credits.ts';
import { type Correction, returnExcess, roomOf } from './usage-correction.ts';

/**
 * The credits that cover usage of a period, the soonest to expire first. For a running period these are the usable
 * ones. For a closed period they are those that lasted to its end, even if they have expired since. A credit that
 * expired within the period covers a correction, as far as it has room for it.
 */
const creditsFor = (ledger: Ledger, period: Period, correction?: Correction) =>
  ledger.credits
    .filter((credit) =>
      ranOutWithin(period, credit, ledger.now)
        ? roomOf(ledger, period, credit, correction) > 0n
        : period.closed
          ? credit.createdAt < period.end || period.start === period.end
          : isUsable(credit, ledger.now),
    )
    .toSorted(soonestFirst);

/** The units of usable credits that are not reserved. */
export function freeCredits(ledger: Ledger): Units {
  const usable = ledger.credits
    .filter((credit) => isUsable(credit, ledger.now))
    .reduce((sum, { remaining }) => sum + remaining, 0n);
  return usable > ledger.reserved ? usable - ledger.reserved : 0n;
}

/** Covers up to `wanted` of a period with credits. Returns how much remaining and how much expired credit it used. */
function cover(ledger: Ledger, period: Period, wanted: Units, correction?: Correction) {
  let [left, fromRemaining, fromExpired] = [wanted, 0n, 0n];
  let free = freeCredits(ledger);
  for (const credit of creditsFor(ledger, period, correction)) {
    if (left === 0n) break;
    const gone = ranOutWithin(period, credit, ledger.now)
      ? roomOf(ledger, period, credit, correction)
      : period.closed
        ? expiredFor(credit, period)
        : 0n;
    const expired = lowest(left, gone);
    const usable = isUsable(credit, ledger.now) ? lowest(credit.remaining, free) : 0n;
    const remaining = lowest(left - expired, usable);
    free -= remaining;
    const taken = expired + remaining;
    if (taken === 0n) continue;
    credit.expired -= expired;
    credit.remaining -= remaining;
    noteTaken(credit, period, expired, taken);
    credit.applied.set(period.id, (credit.applied.get(period.id) ?? 0n) + taken);
    ledger.changedCredits.add(credit);
    left -= taken;
    fromExpired += expired;
    fromRemaining += remaining;
  }
  return { fromRemaining, fromExpired, uncovered: left };
}

/** Returns up to `wanted` to the credits that cover a period, the last used first, as if they had not been used. */
function uncover(ledger: Ledger, period: Period, wanted: Units, correction?: Correction) {
  let [left, toRemaining, toExpired] = [wanted, 0n, 0n];
  const latestFirst = ledger.credits.toSorted(soonestFirst).reverse();
  // A credit that expired before the event was recorded has not covered it, so it comes last.
  const since = correction?.recordedAt ?? Number.NEGATIVE_INFINITY;
  const [could, couldNot] = [true, false].map((is) =>
    latestFirst.filter((credit) => isUsable(credit, since) === is),
  ) as [Credit[], Credit[]];
  for (const credit of [...could, ...couldNot]) {
    const returned = lowest(left, credit.applied.get(period.id) ?? 0n);
    if (returned === 0n) continue;
    credit.applied.set(period.id, (credit.applied.get(period.id) ?? 0n) - returned);
    const beyond = noteReturned(credit, period, returned);
    const back = isUsable(credit, ledger.now) ? returned - beyond : 0n;
    credit.remaining += back;
    toRemaining += back;
    credit.expired += returned - back;
    toExpired += returned - back;
    ledger.changedCredits.add(credit);
    left -= returned;
  }
  return { toRemaining, toExpired };
}

/** A rise or fall of the usage of a period at a price. */
export interface Step {
  readonly source: Pick<Source, 'type' | 'sourceId'>;
  readonly priceId: string;
  readonly by: Units;
  /** For a price with a matrix: the change of each of its cells. */
  readonly cells?: ReadonlyMap<string, Units> | undefined;
}

/** A change of the usage of a period. */
export interface Change extends Step {
  readonly period: Period;
  /** Changes in the same transaction: credits cover only their sum. */
  readonly together?: readonly Step[];
  /** Set when the change corrects recorded usage. */
  readonly correction?: Correction | undefined;
}

/**
 * Changes the usage of a period. Credits cover a rise as far as they reach; a fall reduces the uncovered usage first.
 * So a correction leaves the ledger as if the usage had been right from the start. Credits that have expired since
 * cover the usage until their expiry, as it is known now; other credits cover the rest.
 */
export function changeUsage(
  ledger: Ledger,
  { source, period, priceId, by, cells, together = [], correction }: Change,
) {
  if (by === 0n && together.length === 0 && !correction) return;
  const from = { ...source, period, priceId };
  const open = usageOf(ledger, period.id) - coveredOf(ledger, period.id);
  const excess = correction ? returnExcess(ledger, period, correction) : 0n;
  const others = together.reduce((sum, step) => sum + step.by, 0n);
  for (const step of together) {
    const { source, priceId, by } = step;
    post(ledger, { ...source, period, priceId }, { usage: by, overage: -by });
  }
  const rise = by + others + excess;
  if (rise > 0n) {
    const { fromRemaining, fromExpired, uncovered } = cover(ledger, period, rise, correction);
    const overage = others - uncovered;
    const expired = excess - fromExpired;
    post(ledger, from, { usage: by, credits: -fromRemaining, expired, overage });
  } else {
    const less = lowest(-rise, open);
    const { toRemaining, toExpired } = uncover(ledger, period, -rise - less, correction);
    const [overage, expired] = [others + less, excess + toExpired];
    post(ledger, from, { usage: by, overage, credits: toRemaining, expired });
  }
  for (const step of [...together, { priceId, by, cells }]) {
    const total = totalOf(ledger, period.id, step.priceId);
    total.usage += step.by;
    for (const [cell, by] of step.cells ?? []) {
      total.cells.set(cell, (total.cells.get(cell) ?? 0n) + by);
    }
    ledger.changedTotals.add(total);
  }
}

/** Grants a credit, which immediately covers uncovered usage of the running period. */
export function grantCredit(ledger: Ledger, credit: Credit, running: Period) {
  ledger.credits.push(credit);
  ledger.newCredits.add(credit);
  post(
    ledger,
    { type: 'credit_granted', sourceId: credit.id, period: running },
    { granted: -credit.amount, credits: credit.amount },
  );
  coverOpen(ledger, credit.id, running);
  // Usage before the first period is covered with the running one.
  if (running.id !== noPeriod.id) coverOpen(ledger, credit.id, noPeriod);
}

/** Covers usage of a period that is neither covered nor owed yet, as far as free credits reach. */
export function coverOpen(ledger: Ledger, sourceId: string, period: Period) {
  const open =
    usageOf(ledger, period.id) - coveredOf(ledger, period.id) - owedOf(ledger, period.id);
  if (open <= 0n) return;
  const { fromRemaining, fromExpired } = cover(ledger, period, open);
  const entries = { credits: -fromRemaining, expired: -fromExpired };
  const overage = fromRemaining + fromExpired;
  post(ledger, { type: 'credit_applied', sourceId, period }, { ...entries, overage });
}

/**
 * Expires the remaining units of credits that have run out. Returns these credits. Those that may roll over expire only
 * at the end of a period.
 */
export function expireCredits(ledger: Ledger): Credit[] {
  const { now } = ledger;
  const gone = ledger.credits.filter(
    (credit) => credit.remaining > 0n && !isUsable(credit, now) && !waitsForEnd(credit),
  );
  for (const credit of gone) {
    const { remaining } = credit;
    credit.remaining = 0n;
    credit.expired += remaining;
    ledger.changedCredits.add(credit);
    post(
      ledger,
      { type: 'credit_expired', sourceId: credit.id },
      { credits: -remaining, expired: remaining },
    );
  }
  return gone;
}
