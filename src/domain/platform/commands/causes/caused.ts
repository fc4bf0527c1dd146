import type { Session } from '#domain/kernel/session.ts';
import { sequenceCommitted } from '#domain/platform/feed/sequence-events.ts';

/** The largest number of objects in a list of a cause. */
export const mostCaused = 1_000;

/** An object that a cause changed. */
export interface CausedObject {
  readonly objectType: string;
  readonly objectId: string;
  /** The types of its events, in their order. */
  readonly eventTypes: readonly string[];
}

/**
 * The objects that each of several causes changed, in the order of their first change, at most `mostCaused` each; of
 * the session's pricing model only. With a type, only objects of that type.
 */
export async function causedObjects(
  { em, pricingModelId }: Session,
  causeIds: readonly string[],
  objectType: string | null = null,
): Promise<Map<string, CausedObject[]>> {
  await sequenceCommitted(em);
  const rows = await em.execute<(CausedObject & { cause: string })[]>(
    `select given.id as cause, below.* from unnest(array(select jsonb_array_elements_text(?::jsonb))) as given (id)
     cross join lateral (
       select object_type as "objectType", object_id as "objectId", array_agg(type order by sequence) as "eventTypes"
       from event where cause = given.id and sequence is not null and pricing_model_id = ?
         and (?::text is null or object_type = ?)
       group by object_type, object_id order by min(sequence) limit ${mostCaused}) as below`,
    [JSON.stringify(causeIds), pricingModelId, objectType, objectType],
  );
  return grouped(rows);
}

/** The deliveries of the events of each of several causes, in the order of the feed, at most `mostCaused` each. */
export async function causedDeliveries(
  { em, pricingModelId }: Session,
  causeIds: readonly string[],
): Promise<Map<string, { readonly id: string }[]>> {
  await sequenceCommitted(em);
  const rows = await em.execute<{ cause: string; id: string }[]>(
    `select given.id as cause, below.id from unnest(array(select jsonb_array_elements_text(?::jsonb))) as given (id)
     cross join lateral (
       select d.id from event e join webhook_delivery d on d.event_id = e.id
       where e.cause = given.id and e.sequence is not null and d.pricing_model_id = ?
       order by e.sequence, d.id limit ${mostCaused}) as below`,
    [JSON.stringify(causeIds), pricingModelId],
  );
  return grouped(rows);
}

/**
 * The cause before each of several causes of jobs: the one that last changed the object on which the job worked. A
 * billing run is executed because the boundary of its period created it, or because an earlier attempt scheduled it.
 */
export async function causesBefore(
  { em, pricingModelId }: Session,
  causeIds: readonly string[],
): Promise<Map<string, string>> {
  await sequenceCommitted(em);
  const rows = await em.execute<{ cause: string; before: string }[]>(
    `select c.id as cause, earlier.cause as before from cause c
     cross join lateral (select min(position) as position from event where cause = c.id and sequence is not null) as own
     cross join lateral (
       select e.cause from event e
       where e.pricing_model_id = c.pricing_model_id and e.object_id = c.subject_id and e.sequence is not null
         and e.position < own.position and e.cause is distinct from c.id and e.cause is not null
       order by e.sequence desc limit 1) as earlier
     where c.id in (select jsonb_array_elements_text(?::jsonb)) and c.pricing_model_id = ?`,
    [JSON.stringify(causeIds), pricingModelId],
  );
  return new Map(rows.map(({ cause, before }) => [cause, before]));
}

function grouped<T extends { readonly cause: string }>(rows: readonly T[]): Map<string, T[]> {
  return Map.groupBy(rows, ({ cause }) => cause);
}
