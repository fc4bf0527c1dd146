import type { Session } from '#domain/kernel/session.ts';
import type { Event } from '#domain/model/platform/event.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';

/** The events to read or follow; an absent field does not matter. */
export interface EventFilter {
  readonly types?: readonly EventType[] | null | undefined;
  readonly customerId?: string | null | undefined;
  readonly objectId?: string | null | undefined;
  /** Whether the events only wake a reader, which shows none of them. */
  readonly wakesOnly?: boolean;
}

/** A session that can follow the feed of its tenant. */
export interface FollowingSession extends Session {
  /** Events after a sequence, or from now on, without gap or repetition. */
  follow(filter: EventFilter, after?: number): Promise<AsyncIterableIterator<Event>>;
}
