import { type Condition, sqlCondition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Event } from '#domain/model/platform/event.ts';
import { statement } from '#engines/lockstep/statement.ts';

const batchSize = 500;

/** The data of an event of the feed about the usage events of one call. */
interface Recorded {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly count: number;
  readonly firstId: string;
  readonly lastId: string;
}

/**
 * The ids of the usage events that some events of the feed concern, in batches. One event of the feed may represent all
 * usage of a bulk call; their number does not matter for memory.
 */
export async function* changedUsageEvents(
  session: Session,
  events: readonly Event[],
): AsyncGenerator<readonly string[]> {
  const single = new Set<string>();
  for (const { type, objectId, data } of events) {
    const recorded = data as unknown as Recorded;
    if (type === 'usage_event.recorded' && recorded.count > 1)
      yield* recordedTogether(session, recorded);
    else single.add(objectId);
  }
  if (single.size > 0) yield [...single];
}

/**
 * The events of one call for a subscription and a meter. They share the instant of their transaction, and their
 * positions follow each other. Usage that another call has recorded between them may be among them.
 */
async function* recordedTogether(
  { em, pricingModelId }: Session,
  { subscriptionId, usageMeterId, firstId, lastId }: Recorded,
): AsyncGenerator<readonly string[]> {
  for (let last = '-1'; ; ) {
    const rows = await statement<{ id: string; position: string }>(
      em,
      'usage events of a call',
      `select e.id, e.position::text
       from usage_event_key first join usage_event_key last on last.id = $5
         join usage_event e on e.pricing_model_id = $1 and e.recorded_at = first.recorded_at
           and e.created_at between least(first.created_at, last.created_at) and greatest(first.created_at, last.created_at)
           and e.position between greatest(first.position, $6::bigint + 1) and last.position
           and e.subscription_id = $2 and e.usage_meter_id = $3
       where first.id = $4
       order by e.position limit ${batchSize}`,
      [pricingModelId, subscriptionId, usageMeterId, firstId, lastId, last],
    );
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.position ?? last;
  }
}

/** The condition for usage events with these ids: their keys lead to their months. */
export const usageEventsWithIds = (ids: readonly string[]): Condition =>
  sqlCondition(
    (alias) => `(${alias}.created_at, ${alias}.position, ${alias}.id, ${alias}.recorded_at) in (
      select key.created_at, key.position, key.id, key.recorded_at from usage_event_key key
      where key.id in (${ids.map(() => '?').join(', ')}))`,
    ids,
  );
