import type { Units } from '#domain/kernel/values/decimal.ts';
import {
  type Credit,
  type Ledger,
  lowest,
  noPeriod,
  type Period,
  post,
  type Rollover,
} from './ledger.ts';

/** Whether the end of a period decides what of a credit rolls over, so that it expires at no earlier moment. */
export const waitsForEnd = ({ rollover }: Credit) => rollover != null && rollover.periods > 0;

/**
 * Lets the credits of a period that ends last to the end of the next one. Returns those. Where no period follows, no
 * credit rolls over any more. Nor do the grants of a period that is cut short: its price is returned in part, so they
 * would cost nothing.
 */
export function extendCredits(
  ledger: Ledger,
  endedId: string,
  begun: Period | null,
  isCut = false,
): Credit[] {
  const own = ({ rollover }: Credit) => rollover?.periodId === endedId && rollover.into === null;
  for (const credit of ledger.credits.filter(waitsForEnd)) {
    if (begun && !(isCut && own(credit))) continue;
    (credit.rollover as Rollover).periods = 0;
    ledger.changedCredits.add(credit);
  }
  if (!begun) return [];
  const waiting = ledger.credits.filter(waitsForEnd);
  const rolling = waiting.filter(
    ({ rollover }) => (rollover?.into ?? rollover?.periodId) === endedId,
  );
  for (const credit of rolling) credit.expiresAt = begun.end;
  return rolling;
}

/**
 * Rolls extended credits over, once the usage of the ended period is covered. The units beyond the limit of a credit
 * expire at the end of the period of its grant.
 */
export function rollCredits(ledger: Ledger, rolling: readonly Credit[], begun: Period) {
  for (const credit of rolling) {
    const { rollover, remaining } = credit;
    if (!rollover) continue;
    const isFirst = rollover.into === null;
    rollover.into = begun.id;
    rollover.periods -= 1;
    ledger.changedCredits.add(credit);
    if (!isFirst) continue;
    rollover.kept = rollover.limit === null ? remaining : lowest(remaining, rollover.limit);
    rollover.cut = remaining - rollover.kept;
    credit.remaining -= rollover.cut;
    credit.expired += rollover.cut;
    post(
      ledger,
      { type: 'credit_expired', sourceId: credit.id },
      { credits: -rollover.cut, expired: rollover.cut },
    );
  }
}

/** The rollover that a correction of a period changes: that of a credit of the period, once it has rolled over. */
const correctedBy = ({ rollover }: Credit, { id }: Period) =>
  rollover?.into != null && (id === rollover.periodId || id === noPeriod.id) ? rollover : null;

/** The expired units of a credit that cover usage of a closed period: those beyond its limit only in its own. */
export function expiredFor(credit: Credit, period: Period): Units {
  const { rollover, expired } = credit;
  if (!rollover || correctedBy(credit, period)) return expired;
  return expired - rollover.cut;
}

/** Notes that later usage of a period uses units of a credit, as if they had been used before it rolled over. */
export function noteTaken(credit: Credit, period: Period, fromExpired: Units, taken: Units) {
  const rollover = correctedBy(credit, period);
  if (!rollover) return;
  const beyond = lowest(rollover.cut, fromExpired);
  rollover.cut -= beyond;
  rollover.kept -= taken - beyond;
}

/** Notes units that a correction of a period returns to a credit. Returns those which exceed its limit. */
export function noteReturned(credit: Credit, period: Period, returned: Units): Units {
  const rollover = correctedBy(credit, period);
  if (!rollover) return 0n;
  const { limit, kept } = rollover;
  const within = limit === null ? returned : lowest(returned, limit - kept);
  rollover.kept += within;
  rollover.cut += returned - within;
  return returned - within;
}
