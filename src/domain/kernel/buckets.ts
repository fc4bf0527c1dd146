import { invalid } from './errors.ts';

/** The lengths of a bucket, in UTC. */
export const bucketIntervals = ['hour', 'day', 'week', 'month'] as const;
export type BucketInterval = (typeof bucketIntervals)[number];

export interface BucketsInput<Interval extends BucketInterval = BucketInterval> {
  readonly from: Date;
  readonly to: Date;
  readonly interval: Interval;
}

/** A time span, divided into buckets. */
export interface Buckets<Interval extends BucketInterval = BucketInterval> {
  readonly interval: Interval;
  /** The start of each bucket and, last, the end of the last one, in milliseconds since 1970. */
  readonly starts: readonly number[];
}

/** The largest number of buckets of an answer. */
export const mostBuckets = 1_000;

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;

/**
 * The whole hours, days, weeks (from Monday) or months of UTC that overlap the time from `from` until before `to`.
 * Errors: BAD_REQUEST for an empty time and for more than 1,000 buckets.
 */
export function bucketsOf<Interval extends BucketInterval>({
  from,
  to,
  interval,
}: BucketsInput<Interval>): Buckets<Interval> {
  if (from >= to) throw invalid('OUT_OF_RANGE', 'to', 'must be after from');
  const starts = [startOf(interval, from.getTime())];
  for (;;) {
    const last = starts.at(-1) ?? 0;
    if (last >= to.getTime()) return { interval, starts };
    if (starts.length > mostBuckets) throw tooManyBuckets();
    starts.push(nextOf(interval, last));
  }
}

export const tooManyBuckets = () =>
  invalid(
    'OUT_OF_RANGE',
    'interval',
    `results in more than ${mostBuckets} buckets: use a longer interval or a shorter time span`,
  );

/** The start and the end of each bucket, in milliseconds since 1970. */
export const spansOf = ({ starts }: Buckets): { readonly start: number; readonly end: number }[] =>
  starts.slice(0, -1).map((start, index) => ({ start, end: starts[index + 1] ?? start }));

/** The first instant of all buckets, and the first one after them. */
export const rangeOf = ({ starts }: Pick<Buckets, 'starts'>): readonly [from: Date, to: Date] => [
  new Date(starts[0] ?? 0),
  new Date(starts.at(-1) ?? 0),
];

/** The first day of all buckets, and the first one after them, counted since 1970. */
export const daysOf = (buckets: Buckets): readonly [from: number, to: number] => {
  const [from, to] = rangeOf(buckets);
  return [from.getTime() / dayMilliseconds, to.getTime() / dayMilliseconds];
};

function startOf(interval: BucketInterval, at: number): number {
  if (interval === 'hour') return Math.floor(at / hourMilliseconds) * hourMilliseconds;
  const day = Math.floor(at / dayMilliseconds);
  if (interval === 'day') return day * dayMilliseconds;
  // 1 January 1970 was a Thursday.
  if (interval === 'week') return (Math.floor((day + 3) / 7) * 7 - 3) * dayMilliseconds;
  const date = new Date(at);
  return monthAt(date.getUTCFullYear(), date.getUTCMonth());
}

function nextOf(interval: BucketInterval, start: number): number {
  if (interval === 'hour') return start + hourMilliseconds;
  if (interval === 'day') return start + dayMilliseconds;
  if (interval === 'week') return start + 7 * dayMilliseconds;
  const date = new Date(start);
  return monthAt(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** `Date.UTC` would take the years 0 to 99 for those from 1900. */
const monthAt = (year: number, month: number) => new Date(0).setUTCFullYear(year, month, 1);
