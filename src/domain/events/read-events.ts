import { invalid } from '#domain/kernel/errors.ts';
import { defaultPageSize, maximalPageSize, type Page } from '#domain/kernel/page.ts';
import type { Session } from '#domain/kernel/session.ts';
import { allOf, type Condition } from '#domain/kernel/where.ts';
import { startOf } from '#domain/rules/feed/event-start.ts';
import type { EventFilter } from '#domain/rules/feed/follow.ts';
import { sequenceEvents } from '#domain/rules/feed/sequence-events.ts';
import { Event } from './event.ts';

export interface EventsInput extends EventFilter {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  /** A further condition. */
  readonly condition?: Condition | undefined;
  readonly orderBy?: EventOrder | null | undefined;
}

/** The orders of the feed: by sequence, the oldest first by default. */
export const eventOrders = ['sequence_asc', 'sequence_desc'] as const;
export type EventOrder = (typeof eventOrders)[number];

/**
 * A page of the feed after a sequence, in its order or in the reverse one. Errors: BAD_REQUEST for a size outside 1–100, for an invalid
 * sequence, and for one whose successors have been deleted.
 */
export async function eventsPage(session: Session, input: EventsInput): Promise<Page<Event>> {
  const { em } = session;
  const size = input.first ?? defaultPageSize;
  if (size < 1 || size > maximalPageSize)
    throw invalid('OUT_OF_RANGE', 'first', `must be from 1 to ${maximalPageSize}`);
  await sequenceEvents(em);
  const after = input.after == null ? null : sequenceIn(input.after);
  const descending = input.orderBy === 'sequence_desc';
  const wanted = allOf([conditionOf(input), input.condition]) ?? {};
  const start = await startOf(em, descending ? null : after);
  const place = { $gt: start, ...(descending && after !== null && { $lt: after }) };
  const rows = await em.find(
    Event,
    { $and: [wanted, { sequence: place }] },
    { orderBy: { sequence: descending ? 'desc' : 'asc' }, limit: size + 1 },
  );

  const nodes = rows.slice(0, size);
  const edges = nodes.map((node) => ({ cursor: String(node.sequence), node }));
  const endCursor = edges.at(-1)?.cursor ?? null;
  const hasMore = rows.length > size;
  return {
    edges,
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor,
    },
    hasMore,
    currentCursor: input.after ?? null,
    nextCursor: hasMore ? endCursor : null,
    totalCount: async () =>
      em.count(Event, { $and: [wanted, { sequence: { $gt: await startOf(em, null) } }] }),
  };
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

function sequenceIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid('INVALID', 'after', 'must be the sequence of an event, a whole number');
}
