import type { Units } from '#domain/kernel/values/decimal.ts';
import type { PricedTerms } from '#domain/model/catalog/exact-part.ts';
import {
  type Account,
  accounts,
  type LedgerTransactionType,
} from '#domain/model/metering/accounts.ts';
import { comingPeriodId } from './coming-period.ts';
import { emptyDigest, type RunningDigest } from './running-digest.ts';

/** The usage of one period at one price. */
export interface Total {
  readonly periodId: string;
  readonly priceId: string;
  usage: Units;
  events: number;
  /** The latest date of use and its event. */
  lastUsageDate: number | null;
  lastEventId: string | null;
  /** The digest of its events; null in totals of earlier versions. */
  readonly digest: RunningDigest | null;
  /** For a price with a matrix: the usage of each of its cells; else empty. */
  readonly cells: Map<string, Units>;
}

/** A credit, with the units that it covers in each of the relevant periods. Times are milliseconds. */
export interface Credit {
  readonly id: string;
  /** Its place among the credits of one instant; new ones follow the stored ones, in their order. */
  readonly position: number;
  readonly createdAt: number;
  expiresAt: number | null;
  readonly priority: number;
  readonly amount: Units;
  remaining: Units;
  expired: Units;
  readonly applied: Map<string, Units>;
  /** How it rolls over; absent where it does not. */
  readonly rollover?: Rollover | null;
}

/** The rollover of a credit, whose units then last to the end of the next period. */
export interface Rollover {
  /** The period of its grant. */
  readonly periodId: string;
  /** The most units that the end of that period leaves; null for all. */
  readonly limit: Units | null;
  /** The ends of periods that it may still cross. */
  periods: number;
  /** The period into which it has rolled over last; null before. */
  into: string | null;
  /** The units that the end of the period of its grant has left. */
  kept: Units;
  /** The units beyond the limit, which expired there. */
  cut: Units;
}

/** A transaction to be written: the change of each account. */
type Posting = {
  readonly type: LedgerTransactionType;
  readonly sourceId: string;
  readonly periodId: string | null;
  readonly priceId: string | null;
} & Readonly<Record<Account, Units>>;

/** A change of the usage that is owed for a period that has ended. */
interface Owing {
  readonly periodId: string;
  readonly priceId: string;
  readonly quantity: Units;
}

/** A period of the subscription, reduced to the fields that usage needs. Times are milliseconds. */
export interface Period {
  /** The empty text where a subscription has no periods. */
  readonly id: string;
  readonly start: number;
  /** The instant after it; infinite where it has no end. */
  readonly end: number;
  /** Whether it has ended: its owed usage is recorded. */
  readonly closed: boolean;
}

/** The period of all usage of a subscription without periods; it has no end. */
export const noPeriod: Period = {
  id: '',
  start: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
  closed: false,
};

/** Usage after the end of a subscription counts for none of its periods and is not billed. */
export const afterEnd: Period = { ...noPeriod, id: 'ended' };

/**
 * The period that will follow an ended one. It has no end yet: usage of a time after the running period, and usage in a
 * pause, counts for it as if it had begun.
 */
export const comingPeriod = ({ id, end }: Pick<Period, 'id' | 'end'>): Period => ({
  id: comingPeriodId(id),
  start: end,
  end: Number.POSITIVE_INFINITY,
  closed: false,
});

/** The id of the billing period; null where usage counts for none. */
export const billingPeriodIdOf = ({ id }: Period): string | null =>
  id === noPeriod.id || id === afterEnd.id ? null : id;

/** The terms of a price of usage: `unitPrice` minor units for each `perUnit`, or another model. */
export type Rate = PricedTerms;

/**
 * The locked ledger of one subscription and meter: its stored state and the pending changes. All changes of usage and
 * credits are computed here, in exact numbers, and written by `writeLedgers`.
 */
export interface Ledger {
  readonly balanceId: string;
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly customerId: string;
  /** Whether the subscription has alerts, which are compared when the ledger is written. */
  readonly watched: boolean;
  /** The present time of the customer, in milliseconds. */
  readonly now: number;
  /** When events of this transaction are recorded, by the clock of the database; in milliseconds. */
  recordedAt: number;
  readonly balances: Record<Account, Units>;
  readonly totals: Map<string, Total>;
  readonly credits: Credit[];
  /** The units of credits that are reserved now. */
  reserved: Units;
  /** The units that are owed so far, of the relevant periods. */
  readonly owed: Map<string, Units>;
  readonly postings: Posting[];
  readonly owing: Owing[];
  readonly changedTotals: Set<Total>;
  readonly changedCredits: Set<Credit>;
  readonly newCredits: Set<Credit>;
}

export const keyOf = (periodId: string, priceId: string) => `${periodId} ${priceId}`;

/** The total of a period and price, created empty if it is missing; `key` is its key, if the caller has it. */
export function totalOf(
  ledger: Ledger,
  periodId: string,
  priceId: string,
  key = keyOf(periodId, priceId),
): Total {
  const known = ledger.totals.get(key);
  if (known) return known;
  const last = { lastUsageDate: null, lastEventId: null };
  const sums = { usage: 0n, events: 0, digest: emptyDigest(), cells: new Map<string, Units>() };
  const total = { periodId, priceId, ...last, ...sums };
  ledger.totals.set(key, total);
  return total;
}

/** The reason for a transaction: its type and the object that caused it. */
export interface Source {
  readonly type: LedgerTransactionType;
  readonly sourceId: string;
  readonly period?: Period;
  readonly priceId?: string | null;
}

const nothing = Object.fromEntries(accounts.map((account) => [account, 0n])) as Record<
  Account,
  Units
>;

/** Adds a transaction, unless all its entries are 0. Its entries must sum to 0. */
export function post(ledger: Ledger, source: Source, entries: Partial<Record<Account, Units>>) {
  const sum = Object.values(entries).reduce((sum, entry) => sum + entry, 0n);
  if (sum !== 0n) throw new Error(`${source.type} of ${source.sourceId} sums to ${sum}, not zero`);
  if (Object.values(entries).every((entry) => entry === 0n)) return;
  for (const [account, entry] of Object.entries(entries)) {
    ledger.balances[account as Account] += entry;
  }
  const { type, sourceId, period, priceId = null } = source;
  ledger.postings.push({
    ...nothing,
    ...entries,
    type,
    sourceId,
    periodId: period ? billingPeriodIdOf(period) : null,
    priceId,
  });
}

/** The usage of a period, over all prices. */
export function usageOf(ledger: Ledger, periodId: string): Units {
  let usage = 0n;
  for (const total of ledger.totals.values()) if (total.periodId === periodId) usage += total.usage;
  return usage;
}

/** The usage of a period that credits cover. */
export function coveredOf(ledger: Ledger, periodId: string): Units {
  return ledger.credits.reduce((sum, { applied }) => sum + (applied.get(periodId) ?? 0n), 0n);
}

/** The usage of a period that is to be paid, or has been, since the period has ended. */
export function owedOf(ledger: Ledger, periodId: string): Units {
  let owed = 0n;
  for (const { periodId: id, priceId } of ledger.totals.values()) {
    if (id === periodId) owed += ledger.owed.get(keyOf(id, priceId)) ?? 0n;
  }
  return owed;
}

export const lowest = (a: Units, b: Units) => (a < b ? a : b);
