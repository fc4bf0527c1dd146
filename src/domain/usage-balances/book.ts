import type { Units } from '../decimal.ts';
import { type Account, accounts, type LedgerTransactionType } from './accounts.ts';

/** What was used in one period at one price. */
export interface Total {
  readonly periodId: string;
  readonly priceId: string;
  usage: Units;
  events: number;
  /** The latest date of use and the event that it is of. */
  lastUsageDate: number | null;
  lastEventId: string | null;
}

/** A credit, with what it covers in each of the periods that are looked at. Times are milliseconds. */
export interface Credit {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly priority: number;
  readonly amount: Units;
  remaining: Units;
  expired: Units;
  readonly applied: Map<string, Units>;
}

/** A transaction that is to be written: what it adds to each account. */
export type Posting = {
  readonly type: LedgerTransactionType;
  readonly sourceId: string;
  readonly periodId: string | null;
  readonly priceId: string | null;
} & Readonly<Record<Account, Units>>;

/** A change of what is owed for a period that has ended. */
export interface Owing {
  readonly periodId: string;
  readonly priceId: string;
  readonly quantity: Units;
}

/** A period of the subscription, as far as usage needs it. Times are milliseconds. */
export interface Period {
  /** The empty text where a subscription has no periods. */
  readonly id: string;
  readonly start: number;
  /** The instant after it; infinite where it has no end. */
  readonly end: number;
  /** Whether it has ended: what it leaves to be paid is written down. */
  readonly closed: boolean;
}

/** Where a subscription has no periods, all usage counts for one without an end. */
export const noPeriod: Period = {
  id: '',
  start: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
  closed: false,
};

/** What a unit of usage costs: `unitPrice` minor units for each `perUnit`. */
export interface Rate {
  readonly unitPrice: number;
  readonly perUnit: number;
}

/**
 * A held ledger of one subscription and meter: what is known of it, and what is to be added to it. All that
 * happens to usage and credits is worked out here, in exact numbers, and written by `writeBooks`.
 */
export interface Book {
  readonly balanceId: string;
  /** What time it is for the customer, in milliseconds. */
  readonly now: number;
  readonly balances: Record<Account, Units>;
  readonly totals: Map<string, Total>;
  readonly credits: Credit[];
  /** What of the credits is reserved now. */
  held: Units;
  /** What has been owed so far, of the periods that are looked at. */
  readonly owed: Map<string, Units>;
  readonly postings: Posting[];
  readonly owing: Owing[];
  readonly changedTotals: Set<Total>;
  readonly changedCredits: Set<Credit>;
  readonly newCredits: Set<Credit>;
}

export const keyOf = (periodId: string, priceId: string) => `${periodId} ${priceId}`;

/** The total of a period and price, which begins with nothing. */
export function totalOf(book: Book, periodId: string, priceId: string): Total {
  const key = keyOf(periodId, priceId);
  const known = book.totals.get(key);
  if (known) return known;
  const total = { periodId, priceId, usage: 0n, events: 0, lastUsageDate: null, lastEventId: null };
  book.totals.set(key, total);
  return total;
}

interface Source {
  readonly type: LedgerTransactionType;
  readonly sourceId: string;
  readonly period?: Period;
  readonly priceId?: string | null;
}

const nothing = Object.fromEntries(accounts.map((account) => [account, 0n])) as Record<
  Account,
  Units
>;

/** Adds a transaction; what comes to nothing is none. Its entries must sum to zero. */
export function post(book: Book, source: Source, entries: Partial<Record<Account, Units>>) {
  const sum = Object.values(entries).reduce((sum, entry) => sum + entry, 0n);
  if (sum !== 0n) throw new Error(`${source.type} of ${source.sourceId} sums to ${sum}, not zero`);
  if (Object.values(entries).every((entry) => entry === 0n)) return;
  for (const [account, entry] of Object.entries(entries)) {
    book.balances[account as Account] += entry;
  }
  const { type, sourceId, period, priceId = null } = source;
  book.postings.push({
    ...nothing,
    ...entries,
    type,
    sourceId,
    periodId: period?.id || null,
    priceId,
  });
}

/** What a period has used, over all prices. */
export function usageOf(book: Book, periodId: string): Units {
  let usage = 0n;
  for (const total of book.totals.values()) if (total.periodId === periodId) usage += total.usage;
  return usage;
}

/** What of it credits cover. */
export function coveredOf(book: Book, periodId: string): Units {
  return book.credits.reduce((sum, { applied }) => sum + (applied.get(periodId) ?? 0n), 0n);
}

/** What of it is to be paid, or has been, since the period has ended. */
function owedOf(book: Book, periodId: string): Units {
  let owed = 0n;
  for (const { periodId: id, priceId } of book.totals.values()) {
    if (id === periodId) owed += book.owed.get(keyOf(id, priceId)) ?? 0n;
  }
  return owed;
}

const soonestFirst = (a: Credit, b: Credit) =>
  a.priority - b.priority ||
  endOf(a) - endOf(b) ||
  a.createdAt - b.createdAt ||
  (a.id < b.id ? -1 : 1);

const endOf = ({ expiresAt }: Credit) => expiresAt ?? Number.MAX_VALUE;

const lowest = (a: Units, b: Units) => (a < b ? a : b);

/** Whether a credit can be used at an instant. */
export const isUsable = ({ expiresAt }: Credit, now: number) =>
  expiresAt === null || expiresAt > now;

/**
 * Which credits cover usage of a period, the soonest to expire first, then the oldest (reference §6.5): for the one
 * that is running what can be used now, and for one that has ended what could be used in it, even if it has run
 * out since.
 */
const creditsFor = ({ credits, now }: Book, period: Period) =>
  credits
    .filter((credit) =>
      period.closed
        ? credit.createdAt < period.end &&
          (credit.expiresAt === null || credit.expiresAt > period.start)
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

/**
 * Writes down what a period that has ended leaves to be paid at each price, or by how much that has changed
 * since. Credits cover the dearest usage first, so the same usage costs the same in whatever order it came.
 */
export function settlePeriod(book: Book, periodId: string, rates: ReadonlyMap<string, Rate>) {
  const totals = [...book.totals.values()].filter((total) => total.periodId === periodId);
  let covered = coveredOf(book, periodId);
  for (const total of totals.toSorted(dearestFirst(rates))) {
    const free = lowest(covered, total.usage);
    covered -= free;
    const key = keyOf(periodId, total.priceId);
    const before = book.owed.get(key) ?? 0n;
    const quantity = total.usage - free - before;
    if (quantity === 0n) continue;
    book.owed.set(key, before + quantity);
    book.owing.push({ periodId, priceId: total.priceId, quantity });
  }
}

/** By what a unit costs, compared without dividing; the order of ids decides between equal ones. */
const dearestFirst = (rates: ReadonlyMap<string, Rate>) => (a: Total, b: Total) => {
  const [one, other] = [rateOf(rates, a), rateOf(rates, b)];
  const difference =
    BigInt(other.unitPrice) * BigInt(one.perUnit) - BigInt(one.unitPrice) * BigInt(other.perUnit);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return a.priceId < b.priceId ? -1 : 1;
};

function rateOf(rates: ReadonlyMap<string, Rate>, { priceId }: Total): Rate {
  const rate = rates.get(priceId);
  if (!rate) throw new Error(`The price ${priceId} of what was used is not known`);
  return rate;
}
