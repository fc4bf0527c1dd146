import { type Buckets, rangeOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { UsageRow, UsageScope } from './usage-rows.ts';

/** The hours of some subscriptions. */
const ofSubscriptions = `select b.usage_meter_id, h.hour, h.usage, h.events
       from usage_meter_balance b join usage_hour h on h.balance_id = b.id and h.hour >= $3 and h.hour < $4
       where b.pricing_model_id = $1 and b.usage_meter_id = any($2::text[])
         and ($6::text is null or b.subscription_id = $6) and ($7::text is null or b.customer_id = $7)`;

/** The hours of all subscriptions of meters: the sums of their parts, and the difference of hours without valid parts. */
const ofMeters = `select usage_meter_id, hour, case m.aggregation_type when 'count' then events else amount end as usage, events
       from usage_meter_part join usage_meter m on m.id = usage_meter_id
       where usage_meter_id = any($2::text[]) and property = '' and hour >= $3 and hour < $4 and $6::text is null and $7::text is null
       union all
       select b.usage_meter_id, h.hour,
         h.usage - coalesce(case m.aggregation_type when 'count' then p.events else p.amount end, 0),
         h.events - coalesce(p.events, 0)
       from usage_meter_balance b join usage_meter m on m.id = b.usage_meter_id
         join usage_hour h on h.balance_id = b.id and not h.counted and h.hour >= $3 and h.hour < $4
         left join usage_part p on p.balance_id = b.id and p.property = '' and p.hour = h.hour
       where b.pricing_model_id = $1 and b.usage_meter_id = any($2::text[])`;

/**
 * The usage of meters that sum or count, from the hours that ingest keeps. Voided and replaced events have lowered
 * them, so the cost depends on hours only.
 */
export async function usageFromHours(
  { em, pricingModelId }: Session,
  { usageMeterIds, subscription, customer }: UsageScope,
  buckets: Buckets,
): Promise<UsageRow[]> {
  if (usageMeterIds.length === 0) return [];
  const isOfMeter = subscription === null && customer === null;
  return statement<UsageRow>(
    em,
    undefined,
    `with hours as (${isOfMeter ? ofMeters : ofSubscriptions})
     select usage_meter_id as "usageMeterId", null as value, false as "isOthers",
       (extract(epoch from date_trunc($5, hour at time zone 'UTC')) * 1000)::bigint::text as start,
       sum(usage)::text as usage, sum(events)::int as events
     from hours group by 1, 4 having sum(usage) <> 0 or sum(events) <> 0`,
    [pricingModelId, usageMeterIds, ...rangeOf(buckets), buckets.interval, subscription, customer],
  );
}
