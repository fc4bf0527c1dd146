import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { logged } from '#domain/kernel/database-failure.ts';
import type { Event } from '#domain/model/platform/event.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import {
  advanceFeed,
  type FeedHead,
  type FeedOwner,
  feedHeads,
  unsequencedFeeds,
} from '#domain/platform/feed/sequence-events.ts';
import type { Logger } from '../observability/logger.ts';
import { concerns, eventsBetween, type Feed, type Follower, pageSize } from './event-follower.ts';
import { createFeedRounds } from './feed-rounds.ts';
import { isWithin, wantedBy } from './wanted-events.ts';

/** The pause between reads under load, instead of a read after every transaction. */
const pauseMilliseconds = 10;
/** The same without a follower: an event that is numbered with many others costs a third. */
const longPauseMilliseconds = 100;
const pauseAfterFailureMilliseconds = 500;
/** How many followers are served before requests run, and how many events they get together. */
const portion = 250;
const mostOffers = 1_000;

/** Is called with each event of a type, of every organization. */
export interface TypeListener {
  readonly type: EventType;
  readonly listener: (event: Event) => void;
}

/** Reads the feeds of all organizations for the followers of this process, each event once. */
export interface FeedReader {
  readonly feed: Feed;
  /** Reads feeds that may have new events, by their keys; null for all. */
  wake(keys: readonly string[] | null): void;
  /** Reads the feeds that a look has found: those with events without a number, and those that others have advanced. */
  look(unsequenced: readonly FeedOwner[], heads: readonly FeedHead[]): void;
  /** Resolves when nothing is being read any more. */
  close(): Promise<void>;
}

/** A feed as wake-ups name it. */
const keyOf = ({ organizationId, livemode }: FeedOwner) => `${organizationId} ${livemode}`;

const ownerOf = (key: string): FeedOwner => {
  const [organizationId = '', livemode] = key.split(' ');
  return { organizationId, livemode: livemode === 'true' };
};

/** Starts at the present ends of all feeds. */
export async function openFeedReader(
  orm: MikroORM,
  logger: Logger,
  listeners: readonly TypeListener[],
): Promise<FeedReader> {
  /** The last sequence of each feed that has been handed out. */
  const places = new Map(
    (await feedHeads(orm.em.fork())).map((head) => [keyOf(head), head.sequence]),
  );
  /** The followers that have caught up, and get each event live. */
  const live = new Map<string, Set<Follower>>();
  const waiting = new Set<string>();
  const rounds = createFeedRounds(waiting, attemptFeed);
  let looksAtAll = true;
  let hasFailed = false;
  let closed = false;
  let reading: Promise<void> | undefined;
  let endPause = () => {};

  return {
    feed: {
      everyone: new Set(),
      join(follower) {
        const key = keyOf(follower.following);
        const there = live.get(key) ?? new Set();
        live.set(key, there.add(follower));
        endPause();
      },
      leave(follower) {
        const key = keyOf(follower.following);
        const there = live.get(key);
        there?.delete(follower);
        if (there?.size === 0) live.delete(key);
      },
      last: (owner) => places.get(keyOf(owner)) ?? 0,
      em: () => orm.em.fork(),
    },
    wake,
    look(unsequenced, heads) {
      found(unsequenced, heads);
      wake([]);
    },
    async close() {
      closed = true;
      endPause();
      await reading;
      await rounds.ended();
    },
  };

  function wake(keys: readonly string[] | null) {
    if (closed) return;
    if (keys) for (const key of keys) waiting.add(key);
    else looksAtAll = true;
    reading ??= read().finally(() => {
      reading = undefined;
      if (isWoken()) wake([]);
    });
  }

  function isWoken() {
    return (looksAtAll || waiting.size > 0) && !closed;
  }

  async function read() {
    while (isWoken()) {
      await attempt(async () => {
        if (looksAtAll) await findFeeds();
        await rounds.readWaiting();
      });
      await pause();
    }
  }

  /** After a failure all feeds are looked at again. */
  async function attempt(work: () => Promise<void>) {
    try {
      await work();
    } catch (error) {
      logger.warn(logged(error), 'Reading the feed has failed; it is tried again');
      hasFailed = true;
      wake(null);
    }
  }

  /** A follower that joins ends a long pause. */
  async function pause() {
    if (hasFailed) {
      await sleep(pauseAfterFailureMilliseconds);
      hasFailed = false;
      return;
    }
    if (live.size > 0) return sleep(pauseMilliseconds);
    const ended = new AbortController();
    endPause = () => ended.abort();
    await sleep(longPauseMilliseconds, undefined, ended).catch(() => {});
  }

  /**
   * Finds the feeds that have events without a number, or that another process has advanced. A feed that arrives
   * from another cell has no followers here: its reading starts at the end that it has then.
   */
  async function findFeeds() {
    looksAtAll = false;
    const owners = await unsequencedFeeds(orm.em.fork());
    found(owners, await feedHeads(orm.em.fork()));
  }

  function found(unsequenced: readonly FeedOwner[], heads: readonly FeedHead[]) {
    for (const owner of unsequenced) waiting.add(keyOf(owner));
    for (const head of heads) {
      const key = keyOf(head);
      if (head.isArriving) places.set(key, head.sequence);
      else if (head.sequence > (places.get(key) ?? 0)) waiting.add(key);
    }
  }

  async function attemptFeed(key: string) {
    if (!closed) await attempt(() => readFeed(key));
  }

  /** Reads new events only while a follower here wants some; it may have joined just now. */
  async function readFeed(key: string) {
    const em = orm.em.fork();
    const owner = ownerOf(key);
    const before = wantedBy(live.get(key) ?? [], listeners);
    const { last: head, some, more } = await advanceFeed(em, owner, places.get(key) ?? 0, before);
    if (more) waiting.add(key);
    if (!some && isWithin(wantedBy(live.get(key) ?? [], listeners), before)) {
      places.set(key, head);
      return;
    }
    for (;;) {
      const events = await eventsBetween(em, owner, places.get(key) ?? 0, head);
      await handOut(key, events, (events.length === pageSize && events.at(-1)?.sequence) || head);
      if (events.length < pageSize || closed) return;
    }
  }

  /**
   * Serves a portion of the followers in each turn of the event loop, so that requests are
   * answered in between. A follower that joins meanwhile has read these events already. Events
   * that arrive meanwhile are handed out together.
   */
  async function handOut(key: string, events: readonly Event[], upTo: number) {
    places.set(key, upTo);
    for (const event of events) {
      for (const { type, listener } of listeners) if (event.type === type) listener(event);
    }
    const followers = [...(live.get(key) ?? [])];
    const most = Math.min(portion, Math.ceil(mostOffers / Math.max(1, events.length)));
    for (let from = 0; from < followers.length; from += most) {
      if (from > 0) await new Promise(setImmediate);
      const there = live.get(key);
      if (!there) return;
      for (const follower of followers.slice(from, from + most)) offer(there, events, follower);
    }
  }

  function offer(there: ReadonlySet<Follower>, events: readonly Event[], follower: Follower) {
    // It may have left.
    if (!there.has(follower)) return;
    const wanted = events.filter((event) => concerns(event, follower.following));
    if (wanted.length > 0) follower.offer(wanted);
  }
}
