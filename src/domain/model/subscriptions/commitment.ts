import type { Interval } from '#domain/model/catalog/price.ts';

/** When a difference to a commitment is charged. */
export const trueUpTimings = ['each_period', 'at_end'] as const;

/** The amounts that count for a commitment. */
export const countedAmounts = ['usage', 'all'] as const;

/** The amount that a customer commits to spend in each term, whatever it uses. */
interface CommitmentTerms {
  /** Minor units for a whole term, before discounts and tax. */
  readonly amount: number;
  readonly trueUp: (typeof trueUpTimings)[number];
  readonly counts: (typeof countedAmounts)[number];
}

/** The commitment of a subscription, with the term that is running. */
export interface Commitment extends CommitmentTerms {
  /** The length of a term. */
  readonly interval: Interval;
  /** Null before its first period. */
  readonly term: RunningTerm | null;
}

/** Consecutive billing periods of one interval, whose amounts count together. */
export interface RunningTerm {
  /** The start of its first period; milliseconds since 1970. */
  readonly start: number;
  readonly interval: Interval;
  /** The number of its billing periods, and how many of them have begun. */
  readonly periods: number;
  readonly begun: number;
}

/** The terms that a billing period keeps, so that later changes leave it as it is. */
export interface PeriodCommitment extends CommitmentTerms {
  /** The start of the first period of its term; milliseconds since 1970. */
  readonly term: number;
  /** The number of periods of the term, and the place of this one from 1. */
  readonly periods: number;
  readonly place: number;
  /** The part of the amount that a whole billing cycle commits: numerator and denominator. */
  readonly part: readonly [number, number];
  /** The billing cycle, of which the period may be a part; milliseconds since 1970. */
  readonly cycle: readonly [number, number];
  /** The instant from which on the period is charged; milliseconds since 1970. */
  readonly from: number;
}

/** The part of a term that a line has reckoned; amounts in minor units before discounts and tax. */
export interface ReckonedTerm {
  /** The first instant of the term, and the end of its last reckoned period; milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** The amount of a whole term. */
  readonly amount: number;
  /** Of each reckoned period the part of the amount that it commits: numerator and denominator, as decimal texts. */
  readonly parts: readonly (readonly [string, string])[];
  readonly committed: number;
  /** The amounts that count: billed usage, and charges for the plan where they count. */
  readonly usage: number;
  readonly plan: number;
  /** The amounts of earlier lines for the term. */
  readonly before: number;
  /** The part of the difference that is not on this line. */
  readonly rest: number;
}

/** The lengths of intervals: a day has 4,800 parts, and a month the mean of the Gregorian calendar. */
const lengths = { day: 4_800, week: 33_600, month: 146_097, year: 1_753_164 } as const;

const lengthOf = ({ unit, count }: Interval) => lengths[unit] * count;

/** Whether an interval is shorter than another one. */
export const isShorter = (interval: Interval, than: Interval): boolean =>
  lengthOf(interval) < lengthOf(than);

/** How many periods of an interval a term has; null where they do not fill it. */
export function periodsOf(term: Interval, period: Interval): number | null {
  const ratio = lengthOf(term) / lengthOf(period);
  return Number.isInteger(ratio) ? ratio : null;
}

/** The part of a term that a whole period of an interval is worth: numerator and denominator. */
export const partOf = (term: Interval, period: Interval): readonly [number, number] => [
  lengthOf(period),
  lengthOf(term),
];
