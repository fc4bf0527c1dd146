import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Step } from '#domain/metering/ledger/change-usage.ts';
import { eventOrder } from '#domain/model/recording/usage-event.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { Row } from './usage-call.ts';
import { propertiesDigest } from './usage-event-id.ts';
import { stepsOf } from './void-event.ts';

/**
 * Orders new events at the place of the events that they replace: among those of the same date, or with the same
 * properties.
 */
export async function orderInPlace({ em, pricingModelId }: Session, rows: readonly Row[]) {
  for (const { event, replaces } of rows) {
    if (!replaces) continue;
    await statement(
      em,
      'stand in place',
      `update usage_event e set order_at = coalesce(old.order_at, old.recorded_at),
         order_place = coalesce(old.order_place, old.place)
       from usage_event_key k join usage_event old on old.pricing_model_id = $1 and old.created_at = k.created_at
         and old.position = k.position and old.id = k.id and old.recorded_at = k.recorded_at
       where k.id = $4 and e.pricing_model_id = $1 and e.created_at = $2 and e.id = $3`,
      [pricingModelId, event.createdAt, event.id, replaces.event.id],
    );
  }
}

/** The events that do not count any more, since a replacing one with the same properties precedes them. */
export type Outrun = ReadonlyMap<string, { readonly priceId: string; readonly by: bigint }>;

/**
 * Returns, by replacing events, by how much usage falls where distinct properties are counted. Such an event may
 * precede the one that has counted for its properties since: then the replacing one counts.
 */
export async function outrunProperties(
  { em, pricingModelId }: Session,
  rows: readonly Row[],
  firstOfProperties: ReadonlySet<string>,
): Promise<Outrun> {
  const outrun = new Map<string, { priceId: string; by: bigint }>();
  for (const { event, resolved, period, replaces } of rows) {
    const isDistinct = resolved.meter.aggregationType === 'count_distinct_properties';
    if (!replaces || !isDistinct || firstOfProperties.has(event.id)) continue;
    const of = [event.subscriptionId, event.usageMeterId, period.id];
    const [other] = await statement<{ amount: string; priceId: string }>(
      em,
      'outrun distinct',
      `with placed as (
         select e.id, e.amount, e.price_id, row(${eventOrder('e')}) as place
         from usage_event_key k join usage_event e on e.pricing_model_id = $1 and e.created_at = k.created_at
           and e.position = k.position and e.id = k.id and e.recorded_at = k.recorded_at
         where k.id = $3 or k.id = (select event_id from usage_event_distinct where digest = $2))
       update usage_event_distinct d set event_id = own.id
       from placed own, placed other
       where own.id = $3 and other.id <> $3 and d.digest = $2 and d.event_id = other.id and own.place < other.place
       returning other.amount::text, other.price_id as "priceId"`,
      [pricingModelId, propertiesDigest(of, event.properties ?? {}), event.id],
    );
    if (other) outrun.set(event.id, { priceId: other.priceId, by: -unitsOf(other.amount) });
  }
  return outrun;
}

const none: readonly Step[] = [];

/** The ledger steps together with a new event: usage that falls away because it counts. */
export function stepsInPlaceOf({ event, replaces }: Row, outrun: Outrun): readonly Step[] {
  const other = outrun.get(event.id);
  if (!replaces && !other) return none;
  const gone = replaces ? stepsOf(replaces.event, replaces.falls) : [];
  const source = { type: 'usage_recorded', sourceId: event.id } as const;
  return other ? [...gone, { source, ...other }] : gone;
}
