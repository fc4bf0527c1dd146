import { type BucketInterval, type Buckets, rangeOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { eventOrder, latestEventFirst } from '#domain/usage-events/usage-event.ts';
import type { aggregationTypes } from '#domain/usage-meters/usage-meter.ts';
import type { UsageRow, UsageScope } from './usage-rows.ts';

type AggregationType = (typeof aggregationTypes)[number];

interface Grouping {
  readonly groupBy: string | null;
  /** The number of values with the most events that have a series of their own. */
  readonly most: number;
}

/** How the events of a meter are aggregated: within a bucket and value first, then with the values that are others. */
interface Aggregation {
  readonly parts: string;
  readonly folded: string;
}

const summed = (part: string): Aggregation => ({
  parts: `select meter, start, value, ${part} as usage, count(*) as events from used group by 1, 2, 3`,
  folded: 'select * from kept',
});

const one = 'meter, subscription_id, start';

/** The largest or the last amount of each subscription is chosen again among the parts of others. */
const aggregations: Readonly<Record<AggregationType, Aggregation>> = {
  sum: summed('sum(amount)'),
  count: summed('count(*)'),
  max: {
    parts: `select ${one}, value, max(amount) as usage, count(*) as events from used group by 1, 2, 3, 4`,
    folded: `select ${one}, of_value, is_others, max(usage) as usage, sum(events) as events from kept group by 1, 2, 3, 4, 5`,
  },
  last: {
    parts: `select distinct on (${one}, value) *, amount as usage, count(*) over (partition by ${one}, value) as events
      from used order by ${one}, value, usage_date desc, ${latestEventFirst('used')}`,
    folded: `select distinct on (${one}, is_others, of_value) meter, start, of_value, is_others, usage,
        sum(events) over (partition by ${one}, is_others, of_value) as events
      from kept order by ${one}, is_others, of_value, usage_date desc, ${latestEventFirst('kept')}`,
  },
  // Two hashes are compared faster than the properties, and equal ones have equal properties.
  count_distinct_properties: {
    parts: `select distinct on (${one}, hash, other_hash) *, amount as usage,
        count(*) over (partition by ${one}, hash, other_hash) as events
      from (select *, jsonb_hash_extended(properties, 0) as hash, jsonb_hash_extended(properties, 1) as other_hash from used) used
      order by ${one}, hash, other_hash, ${eventOrder('used')}`,
    folded: 'select * from kept',
  },
};

/** The start of a bucket. Weeks begin on Mondays; binning is faster than truncating, but months differ in length. */
const starts: Readonly<Record<BucketInterval, string>> = {
  hour: `date_bin('1 hour', e.usage_date, '1970-01-01 00:00Z')`,
  day: `date_bin('1 day', e.usage_date, '1970-01-01 00:00Z')`,
  week: `date_bin('7 days', e.usage_date, '1970-01-05 00:00Z')`,
  month: `date_trunc('month', e.usage_date, 'UTC')`,
};

/**
 * The usage of meters of one type, from the events that count. Needed where hours do not suffice: for values of a
 * property, and for meters whose usage of a bucket is no sum of hours.
 */
export async function usageFromEvents(
  { em, pricingModelId }: Session,
  { usageMeterIds, subscription, customer, type }: UsageScope & { readonly type: AggregationType },
  buckets: Buckets,
  { groupBy, most }: Grouping,
): Promise<UsageRow[]> {
  const { parts, folded } = aggregations[type];
  return statement<UsageRow>(
    em,
    undefined,
    `with used as (
       select e.usage_meter_id as meter, e.subscription_id, e.amount, e.usage_date, e.order_at, e.recorded_at,
         e.order_place, e.place, e.id, coalesce(e.properties, '{}'::jsonb) as properties,
         ${starts[buckets.interval]} as start, e.properties ->> $6::text as value
       from usage_event e ${subscription === null ? joined : ''}
       where e.pricing_model_id = $1 and e.usage_meter_id = any($2::text[]) and e.voided_at is null
         and e.usage_date >= $3 and e.usage_date < $4
         and ($7::text is null or e.subscription_id = $7) and ($8::text is null or e.customer_id = $8)
     ), parts as (${parts}
     ), sized as (
       select *, sum(events) over (partition by meter, value) as size from parts
     ), ranked as (
       select *, dense_rank() over (order by size desc, meter, value) > $5::int as is_others from sized
     ), kept as (
       select *, case when not is_others then value end as of_value from ranked
     ), folded as (${folded})
     select meter as "usageMeterId", of_value as value, is_others as "isOthers",
       (extract(epoch from start) * 1000)::bigint::text as start, sum(usage)::text as usage, sum(events)::int as events
     from folded group by 1, 2, 3, 4`,
    [
      pricingModelId,
      usageMeterIds,
      ...rangeOf(buckets),
      groupBy === null ? usageMeterIds.length : most,
      groupBy,
      subscription,
      customer,
    ],
  );
}

/** Leads to the events by their index, which begins with the subscription. */
const joined = `join usage_meter_balance b on b.pricing_model_id = $1 and b.usage_meter_id = any($2::text[])
  and b.subscription_id = e.subscription_id and b.usage_meter_id = e.usage_meter_id`;
