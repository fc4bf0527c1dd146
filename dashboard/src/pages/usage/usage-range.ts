import { timeWhereOf } from '../../parts/lists/day-range.ts';
import type { Filters } from '../../parts/lists/use-filters.ts';
import type { UsageCourseQueryVariables } from './usage.generated.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The length of a bucket of the chart. */
type Interval = UsageCourseQueryVariables['interval'];

const lengths: Readonly<Record<Interval, number>> = {
  hour,
  day,
  week: 7 * day,
  month: 30 * day,
};
/** More bars than these are too narrow to see. */
const mostBuckets = 200;

/** The ranges to choose from, each with the buckets that suit it. */
export const usageRanges = [
  { name: '24h', label: '24 hours', span: day, interval: 'hour' },
  { name: '7d', label: '7 days', span: 7 * day, interval: 'day' },
  { name: '30d', label: '30 days', span: 30 * day, interval: 'day' },
  { name: '90d', label: '90 days', span: 90 * day, interval: 'week' },
  { name: '12m', label: '12 months', span: 365 * day, interval: 'month' },
] as const;

interface Span {
  /** The name of the chosen range; undefined while the days of the filter state it. */
  readonly name: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly interval: Interval;
  /** The intervals that divide it into at least two and not too many buckets. */
  readonly intervals: readonly Interval[];
}

/** The span of the chart: the days of the filter, or else the range that the address names. */
export function spanOf(filters: Filters, now: number): Span {
  const range = usageRanges.find(({ name }) => name === filters.get('range')) ?? usageRanges[2];
  const days = timeWhereOf(filters);
  const step = range.name === '24h' ? hour : day;
  const end = (Math.floor(now / step) + 1) * step;
  const to = days?.to ?? Math.max(end, days?.from === undefined ? 0 : days.from + day);
  const from = days?.from ?? to - range.span;
  const intervals = (Object.keys(lengths) as Interval[]).filter((each) => {
    const buckets = (to - from) / lengths[each];
    return buckets >= 2 && buckets <= mostBuckets;
  });
  const chosen = intervals.find((each) => each === filters.get('interval'));
  const usual = intervals.find((each) => each === range.interval);
  return {
    name: days ? undefined : range.name,
    from,
    to,
    interval: chosen ?? usual ?? intervals[0] ?? 'day',
    intervals,
  };
}
