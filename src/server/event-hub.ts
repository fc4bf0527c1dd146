import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Event } from '#domain/events/event.ts';
import type { EventType } from '#domain/events/event-types.ts';
import { advanceFeed, lastSequence, sequenceEvents } from '#domain/rules/feed/sequence-events.ts';
import { logged } from './database/failure.ts';
import {
  type ChangedDelivery,
  createDeliveryWatchers,
  type DeliveryWatch,
  watchInterrupted,
} from './delivery-watchers.ts';
import {
  concerns,
  eventsBetween,
  type Feed,
  type Follower,
  type Following,
  followFrom,
  keyGone,
  pageSize,
  refusalOf,
} from './event-follower.ts';
import type { Logger } from './logger.ts';
import { isWithin, wantedBy } from './wanted-events.ts';

const longestPauseMilliseconds = 10_000;
/** Without a wake-up the table is read at this interval. */
const restlessMilliseconds = 5_000;
/** How the listening connection is checked. */
export interface Heartbeat {
  /** The interval of the checks. */
  readonly everyMilliseconds: number;
  /** The timeout for connecting and for a response. */
  readonly longestAnswerMilliseconds: number;
}

const usualHeartbeat: Heartbeat = { everyMilliseconds: 5_000, longestAnswerMilliseconds: 5_000 };
/** The pause between reads under load, instead of a read after every transaction. */
const pauseMilliseconds = 10;
/** How many followers are served before requests run. */
const portion = 50;

/** The change feed in this process: each event is read once for all followers. */
export interface EventHub extends AsyncDisposable {
  /** Events after a sequence, then live ones, without gap or repetition; only live ones without a sequence. */
  follow(following: Following, after?: number): Promise<AsyncIterableIterator<Event>>;
  /** Calls back with each event of a type, of every tenant. */
  onEach(type: EventType, listener: (event: Event) => void): void;
  /**
   * Ends the followings of a key that must not see events any longer. With origins, ends only those of pages of other
   * origins.
   */
  dismiss(credentialId: string, origins?: readonly string[]): void;
  /** Ends the followings of all tokens of a customer. */
  dismissCustomer(customerId: string): void;
  onDismissal(listener: (credentialId: string, origins?: readonly string[]) => void): void;
  /** Calls whenever a delivery was inserted or attempted, here or elsewhere. */
  onDelivery(listener: () => void): void;
  /** Each change of a delivery from now on. */
  watchDeliveries(watch: DeliveryWatch): AsyncIterableIterator<ChangedDelivery>;
}

/**
 * Follows the feed over one listening connection, which only wakes; the events are read from the
 * table. A lost connection is replaced, with growing pauses, and no event is missed.
 */
export async function openEventHub(
  orm: MikroORM,
  databaseUrl: string,
  logger: Logger,
  { everyMilliseconds, longestAnswerMilliseconds }: Heartbeat = usualHeartbeat,
): Promise<EventHub> {
  const everyone = new Set<Follower>();
  /** The followers that have caught up, and get each event live. */
  const live = new Set<Follower>();
  const listeners: { type: EventType; listener: (event: Event) => void }[] = [];
  const dismissals: ((credentialId: string, origins?: readonly string[]) => void)[] = [];
  const deliveries = createDeliveryWatchers();
  const deliveryListeners: (() => void)[] = [];
  let closed = false;
  let reading: Promise<void> | undefined;
  let again = false;
  let last = await present();
  const feed: Feed = { everyone, live, last: () => last, em: () => orm.em.fork() };
  let client = await listen();
  const restless = setInterval(wake, restlessMilliseconds).unref();

  return {
    follow,
    onEach: (type, listener) => void listeners.push({ type, listener }),
    dismiss(credentialId, origins) {
      for (const follower of everyone) {
        const { credentialId: own, origin } = follower.following;
        const refusal = own === credentialId && refusalOf(origin, origins);
        if (refusal) follower.end(refusal);
      }
      deliveries.dismiss(credentialId, origins);
      for (const listener of dismissals) listener(credentialId, origins);
    },
    dismissCustomer(customerId) {
      for (const follower of everyone) {
        if (follower.following.ownCustomerId === customerId) follower.end(keyGone());
      }
    },
    onDismissal: (listener) => dismissals.push(listener),
    onDelivery: (listener) => deliveryListeners.push(listener),
    watchDeliveries: deliveries.watch,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(restless);
      for (const follower of everyone) follower.end();
      deliveries.end();
      await client
        .end()
        .catch((error) => logger.warn(logged(error), 'The listening connection did not close'));
      await reading;
    },
  };

  async function present() {
    const em = orm.em.fork();
    await sequenceEvents(em);
    return lastSequence(em);
  }

  async function listen() {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'tollgate listen',
      connectionTimeoutMillis: longestAnswerMilliseconds,
      query_timeout: longestAnswerMilliseconds,
    });
    // The end of a connection follows its error, and is handled.
    next.on('error', (error) => logger.warn(logged(error), 'The listening connection has failed'));
    next.on('notification', ({ channel, payload = '' }) => {
      if (channel !== 'tollgate_delivery') return wake();
      deliveries.publish(payload);
      for (const listener of deliveryListeners) listener();
    });
    await next.connect();
    try {
      await next.query('listen tollgate_event; listen tollgate_delivery');
    } catch (error) {
      void next.end();
      throw error;
    }
    const heartbeat = setInterval(() => void beat(next), everyMilliseconds).unref();
    next.on('end', () => {
      clearInterval(heartbeat);
      void reconnect();
    });
    return next;
  }

  /** A connection that only listens would not notice that the network drops its notifications. */
  async function beat(listening: pg.Client) {
    try {
      await listening.query('select 1');
    } catch (error) {
      logger.warn(logged(error), 'The listening connection does not answer');
      // With a running statement this destroys the socket, which ends the connection immediately.
      await listening.end();
    }
  }

  async function reconnect() {
    for (let pause = 100; !closed; pause = Math.min(pause * 2, longestPauseMilliseconds)) {
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      try {
        client = await listen();
        if (closed) await client.end();
        deliveries.end(watchInterrupted());
        return wake();
      } catch (error) {
        logger.warn(logged(error), 'Listening for events again has failed');
      }
    }
  }

  function wake() {
    again = true;
    reading ??= read().finally(() => {
      reading = undefined;
      if (again && !closed) wake();
    });
  }

  async function read() {
    while (again && !closed) {
      again = false;
      try {
        await readOn();
        await pause(pauseMilliseconds);
      } catch (error) {
        logger.warn(logged(error), 'Reading the feed has failed; it is tried again');
        await pause(500);
        again = true;
      }
    }
  }

  /** Reads new events only while a follower here wants some; it may have joined just now. */
  async function readOn() {
    const em = orm.em.fork();
    const before = wantedBy(live, listeners);
    const { last: head, some } = await advanceFeed(em, last, before);
    if (!some && isWithin(wantedBy(live, listeners), before)) {
      last = head;
      return;
    }
    for (;;) {
      const events = await eventsBetween(em, {}, last, head);
      await handOut(events, (events.length === pageSize && events.at(-1)?.sequence) || head);
      if (events.length < pageSize || closed) return;
    }
  }

  /**
   * Serves a portion of the followers in each turn of the event loop, so that requests are
   * answered in between. A follower that joins meanwhile has read these events already. Events
   * that arrive meanwhile are handed out together.
   */
  async function handOut(events: readonly Event[], upTo: number) {
    last = upTo;
    for (const event of events) {
      for (const { type, listener } of listeners) if (event.type === type) listener(event);
    }
    const followers = [...live];
    for (let from = 0; from < followers.length; from += portion) {
      if (from > 0) await new Promise(setImmediate);
      for (const follower of followers.slice(from, from + portion)) offer(events, follower);
    }
  }

  function offer(events: readonly Event[], follower: Follower) {
    for (const event of events) {
      // It may have left, or the previous event may have ended it.
      if (live.has(follower) && concerns(event, follower.following)) follower.offer(event);
    }
  }

  /** «From now on» starts after the last event of the feed, whether this process has read it or not. */
  async function follow(following: Following, after?: number) {
    return followFrom(feed, following, after ?? (await present()));
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
