/** The amounts of a bucket of revenue, in minor units. */
export interface Bucket {
  readonly start: number;
  readonly currency: string;
  readonly invoiced: number;
  readonly paid: number;
  readonly refunded: number;
}

type Amount = 'invoiced' | 'paid' | 'refunded';

/** The sum of one amount over buckets of one currency. */
export const sumOf = (buckets: readonly Bucket[], currency: string, amount: Amount) =>
  buckets.reduce((sum, bucket) => sum + (bucket.currency === currency ? bucket[amount] : 0), 0);

/** The change from one number to the next, as a ratio; undefined from zero. */
export const changeOf = (now: number, before: number) =>
  before === 0 ? undefined : (now - before) / Math.abs(before);
