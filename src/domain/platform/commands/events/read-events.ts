import type { Page } from '#domain/kernel/lists/page.ts';
import { allOf, type Condition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import { startOf } from '#domain/platform/feed/event-start.ts';
import type { EventFilter } from '#domain/platform/feed/follow.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { pageOf, readingOf, type SequenceInput, sequenceIn } from './sequence-page.ts';

export interface EventsInput extends EventFilter, SequenceInput {
  /** A further condition. */
  readonly condition?: Condition | undefined;
}

/**
 * A page of the feed, in its order or in the reverse one. Errors: BAD_REQUEST for a size outside 1–100, for an invalid
 * sequence, and for one whose successors have been deleted.
 */
export async function eventsPage(session: Session, input: EventsInput): Promise<Page<Event>> {
  const { em } = session;
  const { condition: place, orderBy, size } = readingOf(input);
  await sequenceEvents(em);
  const wanted = allOf([conditionOf(input), input.condition]) ?? {};
  const oldest = input.orderBy === 'sequence_desc' ? input.before : input.after;
  const start = await startOf(em, oldest == null ? null : sequenceIn(oldest, 'after'));
  const rows = await em.find(
    Event,
    { $and: [wanted, place, { sequence: { $gt: start } }] } as object,
    { orderBy, limit: size + 1 },
  );
  return pageOf(input, rows, async () =>
    em.count(Event, { $and: [wanted, { sequence: { $gt: await startOf(em, null) } }] }),
  );
}

/** The condition of a filter on the table. */
export function conditionOf({ types, customerId, objectId }: EventFilter) {
  return {
    ...(types != null && { type: { $in: [...types] } }),
    ...(customerId != null && { customerId }),
    ...(objectId != null && { objectId }),
  };
}

/** Whether an event matches a filter. */
export const isWanted = ({ type, customerId, objectId }: Event, filter: EventFilter): boolean =>
  (filter.types == null || filter.types.includes(type)) &&
  (filter.customerId == null || filter.customerId === customerId) &&
  (filter.objectId == null || filter.objectId === objectId);
