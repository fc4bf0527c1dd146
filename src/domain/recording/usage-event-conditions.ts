import {
  type Choice,
  type ConditionOf,
  choiceConditions,
  relatedChoiceOf,
  sqlCondition,
} from '#domain/kernel/lists/where.ts';

/** Usage events of one of these customers, by their subscriptions, of which the table has an index. */
export const ofCustomer = relatedChoiceOf<string>(
  (alias, customers) =>
    `${alias}.subscription_id in (select id from subscription where customer_id in ${customers})`,
);

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The id of an event by its meter and transaction id, as `usageEventId` computes it. */
const eventId = `'usage_event_' || (
  select string_agg(substr('${alphabet}', get_byte(sha256(convert_to(meter.id || E'\\n' || wanted.id, 'UTF8')), place) % 62 + 1, 1), '' order by place)
  from generate_series(0, 20) place)`;

/**
 * Usage events with one of these transaction ids. The id of an event is a digest of its meter and transaction id. So
 * the key of each meter of the pricing model leads to them.
 */
export const withTransaction: ConditionOf<Choice<string>> = choiceConditions(
  (ids, { pricingModelId }) => {
    const rows = ids.length > 0 ? ids.map(() => '(?)').join(', ') : '(null)';
    return sqlCondition(
      (alias) =>
        `(${alias}.created_at, ${alias}.position, ${alias}.id, ${alias}.recorded_at) in (
        select key.created_at, key.position, key.id, key.recorded_at
        from usage_meter meter cross join (values ${rows}) wanted(id)
          join usage_event_key key on key.id = ${eventId}
        where meter.pricing_model_id = ?)`,
      [...ids, pricingModelId],
    );
  },
);
