import { daysOf, spansOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import {
  type SubscriptionStatus,
  subscriptionStatuses,
} from '#domain/model/subscriptions/subscription-statuses.ts';
import { statement } from '#engines/lockstep/statement.ts';
import {
  type StatisticInput,
  type StatisticInterval,
  statisticBuckets,
} from './statistic-input.ts';

export interface StatusCount {
  readonly status: SubscriptionStatus;
  readonly count: number;
}

/** The number of subscriptions of each status at the end of a bucket. */
export interface SubscriptionCountsPoint {
  readonly start: Date;
  readonly end: Date;
  readonly counts: readonly StatusCount[];
}

export interface SubscriptionCounts {
  readonly present: readonly StatusCount[];
  readonly points: readonly SubscriptionCountsPoint[];
}

interface Row {
  /** The start of the bucket in milliseconds since 1970; null for the time before. */
  readonly start: string | null;
  readonly status: SubscriptionStatus;
  readonly count: number;
}

/**
 * The number of subscriptions of each status now, and at the end of each bucket. Errors: BAD_REQUEST for an empty time span and
 * for more than 1,000 buckets.
 */
export async function subscriptionCounts(
  session: Session,
  input: StatisticInput,
): Promise<SubscriptionCounts> {
  const buckets = statisticBuckets(input);
  const rows = await changesOf(session, daysOf(buckets)[0], buckets.interval);
  const byStart = Map.groupBy(rows, ({ start }) => start ?? '');
  const counts = new Map<SubscriptionStatus, number>();
  add(counts, byStart.get('') ?? []);
  const points = spansOf(buckets).map(({ start, end }) => {
    add(counts, byStart.get(String(start)) ?? []);
    return { start: new Date(start), end: new Date(end), counts: countsOf(counts) };
  });
  const present = new Map<SubscriptionStatus, number>();
  add(present, rows);
  return { present: countsOf(present), points };
}

function add(counts: Map<SubscriptionStatus, number>, rows: readonly Row[]) {
  for (const { status, count } of rows) counts.set(status, (counts.get(status) ?? 0) + count);
}

const countsOf = (counts: ReadonlyMap<SubscriptionStatus, number>): StatusCount[] =>
  subscriptionStatuses.map((status) => ({ status, count: counts.get(status) ?? 0 }));

/** How the numbers change in each bucket from a day on, and before it. */
const changesOf = (
  { em, pricingModelId }: Session,
  from: number,
  interval: StatisticInterval,
): Promise<Row[]> =>
  statement<Row>(
    em,
    'changes of statuses',
    `select case when day >= date '1970-01-01' + $3::int then (extract(epoch from date_trunc($4, day::timestamp)) * 1000)::bigint::text end as start,
       substr(series, 8) as status, sum(count)::int as count
     from statistic_day
     where pricing_model_id = $1 and series = any($2::text[]) and product_id = ''
     group by 1, 2 having sum(count) <> 0`,
    [pricingModelId, subscriptionStatuses.map((status) => `status_${status}`), from, interval],
  );
