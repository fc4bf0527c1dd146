import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** By the type of an object: the fields that events lose, with the values that replace them. */
export type Redactions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Replaces the keys of a JSON object that it has. */
const replaced = (column: string) =>
  `${column} || coalesce((select jsonb_object_agg(field, value)
     from jsonb_each($2::jsonb -> object_type) as erased (field, value)
     where jsonb_exists(${column}, field)), '{}')`;

/**
 * Replaces fields in the events of a customer, so that the feed, the audit log and repeated deliveries of webhooks no
 * longer show them. The events keep their places, times and actors. Returns how many events it changed.
 */
export async function redactEvents(
  { em, organizationId, livemode, pricingModelId }: Session,
  customerId: string,
  fields: Redactions,
): Promise<number> {
  const [row] = await statement<{ count: number }>(
    em,
    undefined,
    `with redacted as (
       update event set data = ${replaced('data')},
         previous_attributes = case when jsonb_typeof(previous_attributes) = 'object'
           then ${replaced('previous_attributes')} else previous_attributes end
       where customer_id = $1 and jsonb_exists($2::jsonb, object_type)
         and ((sequence is not null and pricing_model_id = $3)
           or (sequence is null and organization_id = $4 and livemode = $5))
         and (data <> ${replaced('data')} or (jsonb_typeof(previous_attributes) = 'object'
           and previous_attributes <> ${replaced('previous_attributes')}))
       returning id),
     answers as (
       update webhook_delivery set attempts =
         (select jsonb_agg(attempt || '{"responseBody": null}' order by place)
          from jsonb_array_elements(attempts) with ordinality as made (attempt, place))
       where event_id in (select id from redacted) and jsonb_array_length(attempts) > 0)
     select count(*)::int as count from redacted`,
    [customerId, JSON.stringify(fields), pricingModelId, organizationId, livemode],
  );
  return row?.count ?? 0;
}
