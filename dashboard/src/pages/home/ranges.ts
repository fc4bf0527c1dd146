import { monthsBefore } from '../../parts/texts/days.ts';

const day = 86_400_000;

/** A span of time to look at, with the length of the buckets in its charts. */
export interface Range {
  readonly name: string;
  readonly label: string;
  readonly days: number;
  readonly interval: 'day' | 'week' | 'month';
}

export const ranges: readonly Range[] = [
  { name: '7d', label: '7 days', days: 7, interval: 'day' },
  { name: '30d', label: '30 days', days: 30, interval: 'day' },
  { name: '90d', label: '90 days', days: 90, interval: 'week' },
  { name: '12m', label: '12 months', days: 365, interval: 'month' },
];

/** The instants of a range that ends with the current day (UTC), and of the range before it. */
export function spanOf({ days, interval }: Range, now: number) {
  const tomorrow = (Math.floor(now / day) + 1) * day;
  const to = tomorrow;
  const from = interval === 'month' ? monthsBefore(now, 11) : to - days * day;
  const before = interval === 'month' ? monthsBefore(now, 23) : from - (to - from);
  return { from, to, before };
}
