import type { Session } from '#domain/kernel/session.ts';
import type { Event } from '#domain/model/platform/event.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import { Collector } from '#engines/live/collector.ts';
import { merged } from '#engines/live/merged.ts';
import type { FollowingSession } from './follow.ts';
import { lastSequence, sequenceEvents } from './sequence-events.ts';
import { steadyEvents } from './steady-events.ts';

/** How long changes are collected, and how many are evaluated together. */
const bounds = { pauseMilliseconds: 50, most: 500 };

/** A test clock that has moved. */
export interface MovedClock {
  readonly id: string;
  readonly from: Date;
  readonly to: Date;
}

/** Changes that are evaluated together. */
interface ChangeBatch {
  /** The place in the feed that is reached with them. */
  readonly sequence: number;
  /** The ids of the changed rows in batches. */
  ids(session: Session): AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  readonly clocks: readonly MovedClock[];
  /** Whether rows may have been deleted that no id names. */
  readonly sweeps: boolean;
}

/** The changes of the rows of a list from a place in the feed on. */
export interface ChangedRows {
  readonly place: number;
  /** The next batch; null at an instant of the monotonic clock, and undefined after the last one. */
  next(due: number | null): Promise<ChangeBatch | null | undefined>;
  return(): Promise<void>;
}

/** How a list is notified of changes of its rows by the feed. */
export interface FeedOfList {
  readonly types: readonly EventType[];
  /** The ids of the rows that some events concern, in batches. */
  idsOf(
    session: Session,
    events: readonly Event[],
  ): AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  /** The events with which rows are deleted that they do not name. */
  readonly sweepTypes?: readonly EventType[];
  /** Whether the list follows test clocks, too. */
  readonly clocks?: boolean;
}

/**
 * The changes of rows by the events of the feed, after a sequence or from now on. The place is taken first, so that
 * no change falls between it and a later look at the rows.
 */
export async function rowsChangedByFeed(
  session: FollowingSession,
  { types, idsOf, sweepTypes = [], clocks = false }: FeedOfList,
  after: number | undefined,
): Promise<ChangedRows> {
  const place = after ?? (await presentPlace(session));
  const wanted: EventType[] = [...types, ...sweepTypes];
  if (clocks) wanted.push('test_clock.updated');
  const filter = { types: wanted, wakesOnly: true };
  const collector = new Collector(await steadyEvents(session, filter, place), bounds);
  return {
    place,
    return: () => collector.return(),
    async next(due) {
      const events = await collector.next(due);
      if (!events) return undefined;
      const sequence = events.at(-1)?.sequence;
      if (sequence == null) return null;
      const own = events.filter(({ type }) => types.includes(type));
      return {
        sequence,
        ids: (session) => idsOf(session, own),
        clocks: movedClocks(events),
        sweeps: events.some(({ type }) => sweepTypes.includes(type)),
      };
    },
  };
}

/** How a list is notified of changes of its rows in addition to the feed. */
interface WatchedList {
  /** The rows that change from now on. */
  watch(): AsyncIterator<{ readonly id: string }>;
  /** The ids of the rows that may have changed since a place in the feed, in batches. */
  idsSince(session: Session, place: number): AsyncIterable<readonly string[]>;
  readonly sweepTypes: readonly EventType[];
}

/** The changes of rows that an iterator names, after a sequence or from now on. They get the last sequence. */
export async function rowsChangedBy(
  session: FollowingSession,
  { watch, idsSince, sweepTypes }: WatchedList,
  after: number | undefined,
): Promise<ChangedRows> {
  const watched = watch();
  const events = await presentPlace(session)
    .then(async (present) => {
      const place = after ?? present;
      const filter = { types: sweepTypes, wakesOnly: true };
      return { place, source: await steadyEvents(session, filter, place) };
    })
    .catch(async (error) => {
      // A refused client must not remain among the watchers.
      await watched.return?.();
      throw error;
    });
  const collector = new Collector(merged<{ readonly id: string }>(watched, events.source), bounds);
  let missedSince = after;
  return {
    place: events.place,
    return: () => collector.return(),
    async next(due) {
      const sequence = async () => presentPlace(session);
      if (missedSince !== undefined) {
        const since = missedSince;
        missedSince = undefined;
        const ids = (session: Session) => idsSince(session, since);
        return { sequence: await sequence(), ids, clocks: [], sweeps: false };
      }
      const changed = await collector.next(due);
      if (!changed) return undefined;
      if (changed.length === 0) return null;
      const ids = [...new Set(changed.flatMap((one) => (isEvent(one) ? [] : one.id)))];
      return {
        sequence: await sequence(),
        ids: () => [ids],
        clocks: [],
        sweeps: changed.some(isEvent),
      };
    },
  };
}

const isEvent = (changed: object) => 'objectType' in changed;

/** The last place of the feed; committed events have theirs. */
async function presentPlace({ em }: Session): Promise<number> {
  const fork = em.fork();
  await sequenceEvents(fork);
  return lastSequence(fork);
}

function movedClocks(events: readonly Event[]): MovedClock[] {
  return events.flatMap(({ objectType, objectId, data, previousAttributes }) => {
    const from = previousAttributes?.frozenTime;
    const moved = objectType === 'TestClock' && typeof from === 'number';
    return moved
      ? [{ id: objectId, from: new Date(from), to: new Date(Number(data.frozenTime)) }]
      : [];
  });
}
