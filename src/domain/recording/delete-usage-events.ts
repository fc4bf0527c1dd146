import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Deletes the usage events of customers and their used transaction ids, when the customers are deleted. Part of a
 * transaction that has locked them.
 */
export async function deleteUsageEvents(
  { em, pricingModelId }: Session,
  customerIds: readonly string[],
) {
  await statement(
    em,
    undefined,
    `with gone as (
       delete from usage_event where pricing_model_id = $1
         and subscription_id in (select id from subscription where customer_id = any($2::text[])) returning id),
     keys as (delete from usage_event_key where id in (select id from gone))
     delete from usage_event_distinct where event_id in (select id from gone)`,
    [pricingModelId, customerIds],
  );
}
