import { type BucketInterval, type Buckets, rangeOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { distinctUsage } from '#domain/metering/history/history-usage.ts';
import { readWithFiles } from '#domain/metering/history/read-with-files.ts';
import { eventOrder } from '#domain/model/recording/usage-event.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { foldedParts, type Grouping } from './usage-folding.ts';
import type { UsageRow, UsageScope } from './usage-rows.ts';

const one = 'meter, subscription_id, start';

/** The first event of each set of properties. Two hashes are compared faster, and equal ones have equal properties. */
const parts = `select distinct on (${one}, hash, other_hash) *, amount as usage,
        sum(weight) over (partition by ${one}, hash, other_hash) as events
      from (select *, jsonb_hash_extended(properties, 0) as hash, jsonb_hash_extended(properties, 1) as other_hash from used) used
      order by ${one}, hash, other_hash, ${eventOrder('used')}`;

/** The start of a bucket. Weeks begin on Mondays; binning is faster than truncating, but months differ in length. */
const starts: Readonly<Record<BucketInterval, string>> = {
  hour: `date_bin('1 hour', e.usage_date, '1970-01-01 00:00Z')`,
  day: `date_bin('1 day', e.usage_date, '1970-01-01 00:00Z')`,
  week: `date_bin('7 days', e.usage_date, '1970-01-05 00:00Z')`,
  month: `date_trunc('month', e.usage_date, 'UTC')`,
};

/** The first events of sets of properties in files, each with the number of events of its set. */
const ofFiles = `select meter, subscription_id, (one ->> 'amount')::numeric as amount, to_timestamp((one ->> 'order_at')::float8 / 1000) as order_at,
         null::timestamptz as recorded_at, (one ->> 'order_place')::int as order_place, null::int as place, one ->> 'id' as id,
         properties::jsonb as properties, to_timestamp(start / 1000) as start, properties::jsonb ->> $6::text as value, events as weight
       from jsonb_to_recordset($9::jsonb)
         as old (meter text, subscription_id text, one jsonb, properties text, start float8, events int)`;

/**
 * The usage of meters that count distinct properties, from all events of the time
 * span, also those in files. A set of properties that is new in an hour may be known in its day, so hours cannot be
 * combined. Errors: those of files.
 */
export const usageFromEvents = (
  session: Session,
  { usageMeterIds, subscription, customer }: UsageScope,
  buckets: Buckets,
  { groupBy, most }: Grouping,
): Promise<UsageRow[]> =>
  readWithFiles(session, async (files) => {
    const [from, to] = rangeOf(buckets);
    const wanted = { usageMeterIds, subscription, customer, from, to };
    const old = await distinctUsage(session, files, wanted, buckets.interval);
    return statement<UsageRow>(
      session.em,
      undefined,
      `with used as (
       select e.usage_meter_id as meter, e.subscription_id, e.amount, e.order_at, e.recorded_at,
         e.order_place, e.place, e.id, coalesce(e.properties, '{}'::jsonb) as properties,
         ${starts[buckets.interval]} as start, e.properties ->> $6::text as value, 1 as weight
       from usage_event e ${subscription === null ? joined : ''}
       where e.pricing_model_id = $1 and e.usage_meter_id = any($2::text[]) and e.voided_at is null
         and e.usage_date >= $3 and e.usage_date < $4
         and ($7::text is null or e.subscription_id = $7) and ($8::text is null or e.customer_id = $8)
       union all ${ofFiles}
     ), parts as (${parts}
     ), ${foldedParts('select * from kept')}`,
      [
        session.pricingModelId,
        usageMeterIds,
        from,
        to,
        groupBy === null ? usageMeterIds.length : most,
        groupBy,
        subscription,
        customer,
        JSON.stringify(old),
      ],
    );
  });

/** Leads to the events by their index, which begins with the subscription. */
const joined = `join usage_meter_balance b on b.pricing_model_id = $1 and b.usage_meter_id = any($2::text[])
  and b.subscription_id = e.subscription_id and b.usage_meter_id = e.usage_meter_id`;
