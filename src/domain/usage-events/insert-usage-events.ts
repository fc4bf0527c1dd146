import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import type { Row } from './record-usage-events.ts';
import { UsageEvent } from './usage-event.ts';

/**
 * Writes new events with one statement: arrays of columns are the cheapest way there is, more so when what
 * all events of a call share is sent once. Completes the rows to events.
 */
export async function insertUsageEvents(session: Session, rows: readonly Row[]) {
  const { em, livemode, organizationId, pricingModelId } = session;
  const events = rows.map(({ event }) => event);
  const tenant = { livemode, organizationId, pricingModelId };
  for (const event of events)
    Object.setPrototypeOf(Object.assign(event, tenant), UsageEvent.prototype);
  // What many events have in common goes over the wire once, and each says which of it is its own.
  const shared = new Map<string, { place: number; event: UsageEvent }>();
  const places = events.map((event) => {
    const { customerId, subscriptionId, usageMeterId, priceId, billingPeriodId, createdAt } = event;
    const key = `${customerId} ${subscriptionId} ${usageMeterId} ${priceId} ${billingPeriodId} ${createdAt.getTime()}`;
    const known = shared.get(key);
    if (known) return known.place;
    shared.set(key, { place: shared.size + 1, event });
    return shared.size;
  });
  const common = [...shared.values()].map(({ event }) => event);
  await statement(
    em,
    'insert usage events',
    `insert into usage_event (pricing_model_id, created_at, id, recorded_at, updated_at, livemode, organization_id,
       customer_id, subscription_id, usage_meter_id, price_id, billing_period_id, amount, usage_date,
       transaction_id, properties)
     select $1, c.created_at, e.id, now(), c.created_at, $2, $3, c.customer_id, c.subscription_id,
       c.usage_meter_id, c.price_id, c.billing_period_id, e.amount, e.usage_date, e.transaction_id, e.properties
     from unnest($4::int[], $5::text[], $6::numeric[], $7::timestamptz[], $8::text[], $9::jsonb[])
       as e (place, id, amount, usage_date, transaction_id, properties)
     join unnest($10::timestamptz[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       with ordinality as c (created_at, customer_id, subscription_id, usage_meter_id, price_id,
         billing_period_id, place) on c.place = e.place`,
    [
      pricingModelId,
      livemode,
      organizationId,
      places,
      events.map(({ id }) => id),
      events.map(({ amount }) => amount),
      events.map(({ usageDate }) => usageDate),
      events.map(({ transactionId }) => transactionId),
      events.map(({ properties }) => properties && JSON.stringify(properties)),
      common.map(({ createdAt }) => createdAt),
      common.map(({ customerId }) => customerId),
      common.map(({ subscriptionId }) => subscriptionId),
      common.map(({ usageMeterId }) => usageMeterId),
      common.map(({ priceId }) => priceId),
      common.map(({ billingPeriodId }) => billingPeriodId),
    ],
  );
}
