import { type Buckets, rangeOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import type { UsageRow, UsageScope } from './usage-rows.ts';

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
  return statement<UsageRow>(
    em,
    undefined,
    `select b.usage_meter_id as "usageMeterId", null as value, false as "isOthers",
       (extract(epoch from date_trunc($5, h.hour at time zone 'UTC')) * 1000)::bigint::text as start,
       sum(h.usage)::text as usage, sum(h.events)::int as events
     from usage_meter_balance b join usage_hour h on h.balance_id = b.id and h.hour >= $3 and h.hour < $4
     where b.pricing_model_id = $1 and b.usage_meter_id = any($2::text[])
       ${subscription === null ? '' : 'and b.subscription_id = $6'}
       ${customer === null ? '' : `and b.customer_id = $${subscription === null ? 6 : 7}`}
     group by 1, 4 having sum(h.usage) <> 0 or sum(h.events) <> 0`,
    [
      pricingModelId,
      usageMeterIds,
      ...rangeOf(buckets),
      buckets.interval,
      ...[subscription, customer].filter((id) => id !== null),
    ],
  );
}
