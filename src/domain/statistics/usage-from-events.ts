import { type Buckets, rangeOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { eventOrder, latestEventFirst } from '#domain/usage-events/usage-event.ts';
import type { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import type { UsageRow, UsageScope } from './usage-over-time.ts';

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
  folded: `select meter, start, of_value, is_others, sum(usage) as usage, sum(events) as events
    from kept_parts group by 1, 2, 3, 4`,
});

const perSubscription = 'meter, subscription_id, start';

/** The largest or the last amount of each subscription is chosen again among the parts of others. */
const aggregations: Readonly<Record<UsageMeter['aggregationType'], Aggregation>> = {
  sum: summed('sum(amount)'),
  count: summed('count(*)'),
  max: {
    parts: `select ${perSubscription}, value, max(amount) as usage, count(*) as events from used group by 1, 2, 3, 4`,
    folded: `select ${perSubscription}, of_value, is_others, max(usage) as usage, sum(events) as events
      from kept_parts group by 1, 2, 3, 4, 5`,
  },
  last: {
    parts: `select distinct on (${perSubscription}, value) *, amount as usage,
        count(*) over (partition by ${perSubscription}, value) as events
      from used order by ${perSubscription}, value, usage_date desc, ${latestEventFirst('used')}`,
    folded: `select distinct on (${perSubscription}, is_others, of_value) ${perSubscription}, of_value, is_others, usage,
        sum(events) over (partition by ${perSubscription}, is_others, of_value) as events
      from kept_parts
      order by ${perSubscription}, is_others, of_value, usage_date desc, ${latestEventFirst('kept_parts')}`,
  },
  count_distinct_properties: {
    parts: `select distinct on (${perSubscription}, properties) *, amount as usage,
        count(*) over (partition by ${perSubscription}, properties) as events
      from used order by ${perSubscription}, properties, ${eventOrder('used')}`,
    folded: 'select * from kept_parts',
  },
};

/**
 * The usage of meters of one type, from the events that count. Needed where hours do not suffice: for values of a
 * property, and for meters whose usage of a bucket is no sum of hours.
 */
export async function usageFromEvents(
  { em, pricingModelId }: Session,
  {
    usageMeterIds,
    subscription,
    customer,
    type,
  }: UsageScope & { type: UsageMeter['aggregationType'] },
  buckets: Buckets,
  { groupBy, most }: Grouping,
): Promise<UsageRow[]> {
  const { parts, folded } = aggregations[type];
  return statement<UsageRow>(
    em,
    undefined,
    `with used as (
       select e.usage_meter_id as meter, e.subscription_id, e.amount, e.usage_date, e.properties,
         e.order_at, e.recorded_at, e.order_place, e.place, e.id,
         date_trunc($5, e.usage_date at time zone 'UTC') as start,
         ${groupBy === null ? `'null'::jsonb` : `coalesce(e.properties -> $7, 'null'::jsonb)`} as value
       from usage_meter_balance b join usage_event e
         on e.subscription_id = b.subscription_id and e.usage_meter_id = b.usage_meter_id
       where b.pricing_model_id = $1 and b.usage_meter_id = any($2::text[]) and e.pricing_model_id = $1
         and ($8::text is null or b.subscription_id = $8) and ($9::text is null or b.customer_id = $9)
         and e.voided_at is null and e.usage_date >= $3 and e.usage_date < $4
     ), parts as materialized (${parts}
     ), ranked as (
       select meter, value, row_number() over (order by sum(events) desc, meter, value) > $6::int as is_others
       from parts group by 1, 2
     ), kept_parts as (
       select parts.*, is_others, case when is_others then 'null'::jsonb else value end as of_value
       from parts join ranked using (meter, value)
     ), folded as (${folded})
     select meter as "usageMeterId", of_value::text as value, is_others as "isOthers",
       (extract(epoch from start) * 1000)::bigint::text as start, sum(usage)::text as usage, sum(events)::int as events
     from folded group by 1, 2, 3, 4`,
    [
      pricingModelId,
      usageMeterIds,
      ...rangeOf(buckets),
      buckets.interval,
      groupBy === null ? usageMeterIds.length : most,
      groupBy,
      subscription,
      customer,
    ],
  );
}
