import type { Units } from '../decimal.ts';
import {
  type Book,
  type Credit,
  coveredOf,
  lowest,
  noPeriod,
  owedOf,
  type Period,
  post,
  type Source,
  totalOf,
  usageOf,
} from './book.ts';

const soonestFirst = (a: Credit, b: Credit) =>
  a.priority - b.priority ||
  endOf(a) - endOf(b) ||
  a.createdAt - b.createdAt ||
  (a.id < b.id ? -1 : 1);

const endOf = ({ expiresAt }: Credit) => expiresAt ?? Number.MAX_VALUE;

/** Whether a credit can be used at an instant. */
export const isUsable = ({ expiresAt }: Credit, now: number) =>
  expiresAt === null || expiresAt > now;

/**
 * Which credits cover usage of a period, the soonest to expire first, then the oldest (reference §6.5): those that
 * can be used now, and for a period that has ended those that lasted to its end, even if they have run out since.
 * What ran out in its midst covers nothing any more.
 */
const creditsFor = ({ credits, now }: Book, period: Period) =>
  credits
    .filter((credit) =>
      period.closed
        ? (credit.createdAt < period.end || period.start === period.end) &&
          (isUsable(credit, now) || endOf(credit) >= period.end)
        : isUsable(credit, now),
    )
    .toSorted(soonestFirst);

/** What of the credits can be used now, since it is not reserved. */
export function freeCredits(book: Book): Units {
  const usable = book.credits
    .filter((credit) => isUsable(credit, book.now))
    .reduce((sum, { remaining }) => sum + remaining, 0n);
  return usable > book.held ? usable - book.held : 0n;
}

/** Takes up to `wanted` from credits for a period. Answers how much came from what is left, and from what had run out. */
function cover(book: Book, period: Period, wanted: Units) {
  let [left, fromRemaining, fromExpired] = [wanted, 0n, 0n];
  let free = freeCredits(book);
  for (const credit of creditsFor(book, period)) {
    if (left === 0n) break;
    const expired = period.closed ? lowest(left, credit.expired) : 0n;
    const usable = isUsable(credit, book.now) ? lowest(credit.remaining, free) : 0n;
    const remaining = lowest(left - expired, usable);
    free -= remaining;
    const taken = expired + remaining;
    if (taken === 0n) continue;
    credit.expired -= expired;
    credit.remaining -= remaining;
    credit.applied.set(period.id, (credit.applied.get(period.id) ?? 0n) + taken);
    book.changedCredits.add(credit);
    left -= taken;
    fromExpired += expired;
    fromRemaining += remaining;
  }
  return { fromRemaining, fromExpired, uncovered: left };
}

/** Gives back up to `wanted` to the credits that cover a period: the last to be used first, as if it had not been. */
function uncover(book: Book, period: Period, wanted: Units) {
  let [left, toRemaining, toExpired] = [wanted, 0n, 0n];
  for (const credit of book.credits.toSorted(soonestFirst).reverse()) {
    const returned = lowest(left, credit.applied.get(period.id) ?? 0n);
    if (returned === 0n) continue;
    credit.applied.set(period.id, (credit.applied.get(period.id) ?? 0n) - returned);
    if (isUsable(credit, book.now)) {
      credit.remaining += returned;
      toRemaining += returned;
    } else {
      credit.expired += returned;
      toExpired += returned;
    }
    book.changedCredits.add(credit);
    left -= returned;
  }
  return { toRemaining, toExpired };
}

/** How the usage of a period at a price changes. */
export interface Change {
  readonly source: Pick<Source, 'type' | 'sourceId'>;
  readonly period: Period;
  readonly priceId: string;
  /** By how much the usage rises, or falls. */
  readonly by: Units;
}

/**
 * Changes the usage of a period: what rises is covered by credits as far as they go, what falls is taken
 * from what was not covered first. So a correction leaves everything as if it had been right at once.
 */
export function changeUsage(book: Book, { source, period, priceId, by }: Change) {
  if (by === 0n) return;
  const total = totalOf(book, period.id, priceId);
  const from = { ...source, period, priceId };
  if (by > 0n) {
    const { fromRemaining, fromExpired, uncovered } = cover(book, period, by);
    post(book, from, {
      usage: by,
      credits: -fromRemaining,
      expired: -fromExpired,
      overage: -uncovered,
    });
  } else {
    const uncovered = usageOf(book, period.id) - coveredOf(book, period.id);
    const overage = lowest(-by, uncovered);
    const { toRemaining, toExpired } = uncover(book, period, -by - overage);
    post(book, from, { usage: by, overage, credits: toRemaining, expired: toExpired });
  }
  total.usage += by;
  book.changedTotals.add(total);
}

/** Gives a credit, which covers at once what the running period has used without one. */
export function grantCredit(book: Book, credit: Credit, running: Period) {
  book.credits.push(credit);
  book.newCredits.add(credit);
  post(
    book,
    { type: 'credit_granted', sourceId: credit.id, period: running },
    { granted: -credit.amount, credits: credit.amount },
  );
  coverOpen(book, credit.id, running);
  // What was used before the first period began is of nobody else's.
  if (running.id !== noPeriod.id) coverOpen(book, credit.id, noPeriod);
}

/** Covers what a period has used without credits and does not owe yet, as far as there are any now. */
export function coverOpen(book: Book, sourceId: string, period: Period) {
  const open = usageOf(book, period.id) - coveredOf(book, period.id) - owedOf(book, period.id);
  if (open <= 0n) return;
  const { fromRemaining, fromExpired } = cover(book, period, open);
  const entries = { credits: -fromRemaining, expired: -fromExpired };
  const overage = fromRemaining + fromExpired;
  post(book, { type: 'credit_applied', sourceId, period }, { ...entries, overage });
}

/** Takes back what is left of the credits that have run out. Answers them. */
export function expireCredits(book: Book): Credit[] {
  const { now } = book;
  const gone = book.credits.filter((credit) => credit.remaining > 0n && !isUsable(credit, now));
  for (const credit of gone) {
    const { remaining } = credit;
    credit.remaining = 0n;
    credit.expired += remaining;
    book.changedCredits.add(credit);
    post(
      book,
      { type: 'credit_expired', sourceId: credit.id },
      { credits: -remaining, expired: remaining },
    );
  }
  return gone;
}
