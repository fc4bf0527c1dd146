import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Empties the refused events of a customer, by each id that they may name it with. Returns the number of refusals that
 * had any. The customer still has its external id.
 */
export async function eraseRefusals(
  { em, pricingModelId }: Session,
  { id, externalId }: Customer,
): Promise<number> {
  const isOwn = `coalesce(one #>> '{event,subscriptionId}' in (
      select id from subscription where customer_id = $2), false)
    or coalesce(one #>> '{event,customerId}' = $2, false)
    or coalesce(one #>> '{event,customerExternalId}' = $3, false)`;
  const rows = await statement(
    em,
    undefined,
    `update usage_refusal set events = (
       select jsonb_agg(case when ${isOwn} then '{"event": {}, "issues": []}'::jsonb else one end)
       from jsonb_array_elements(events) one)
     where pricing_model_id = $1 and exists (
       select from jsonb_array_elements(events) one where ${isOwn})
     returning id`,
    [pricingModelId, id, externalId],
  );
  return rows.length;
}
