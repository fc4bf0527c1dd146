import { type BucketInterval, type Buckets, bucketsOf } from '#domain/kernel/buckets.ts';

/** Buckets of these statistics consist of whole days. */
export const statisticIntervals = ['day', 'week', 'month'] as const satisfies BucketInterval[];
export type StatisticInterval = (typeof statisticIntervals)[number];

export interface StatisticInput {
  readonly from: Date;
  readonly to: Date;
  readonly interval: StatisticInterval;
}

/** Errors: BAD_REQUEST for an empty time span and for more than 1,000 buckets. */
export const statisticBuckets = (input: StatisticInput): Buckets<StatisticInterval> =>
  bucketsOf(input);
