import { type BucketInterval, type Buckets, rangeOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { eventOrder } from '#domain/usage-events/usage-event.ts';
import { foldedParts, type Grouping } from './usage-folding.ts';
import type { UsageRow, UsageScope } from './usage-rows.ts';

const one = 'meter, subscription_id, start';

/** The first event of each set of properties. Two hashes are compared faster, and equal ones have equal properties. */
const parts = `select distinct on (${one}, hash, other_hash) *, amount as usage,
        count(*) over (partition by ${one}, hash, other_hash) as events
      from (select *, jsonb_hash_extended(properties, 0) as hash, jsonb_hash_extended(properties, 1) as other_hash from used) used
      order by ${one}, hash, other_hash, ${eventOrder('used')}`;

/** The start of a bucket. Weeks begin on Mondays; binning is faster than truncating, but months differ in length. */
const starts: Readonly<Record<BucketInterval, string>> = {
  hour: `date_bin('1 hour', e.usage_date, '1970-01-01 00:00Z')`,
  day: `date_bin('1 day', e.usage_date, '1970-01-01 00:00Z')`,
  week: `date_bin('7 days', e.usage_date, '1970-01-05 00:00Z')`,
  month: `date_trunc('month', e.usage_date, 'UTC')`,
};

/**
 * The usage of meters that count distinct properties, from all events of the time
 * span. A set of properties that is new in an hour may be known in its day, so hours cannot be combined.
 */
export async function usageFromEvents(
  { em, pricingModelId }: Session,
  { usageMeterIds, subscription, customer }: UsageScope,
  buckets: Buckets,
  { groupBy, most }: Grouping,
): Promise<UsageRow[]> {
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
     ), ${foldedParts('select * from kept')}`,
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
