import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { DomainError } from '#domain/errors.ts';
import { Event } from '#domain/events/event.ts';
import {
  conditionOf,
  type EventFilter,
  isWanted,
  lastSequence,
  sequenceEvents,
  startOf,
} from '#domain/events/read-events.ts';
import type { Logger } from './logger.ts';

/** What this process asks the database for at a time, and what one follower may leave unread. */
const pageSize = 500;
const longestQueue = 1_000;
const longestPauseMilliseconds = 10_000;
/** Without any wake-up the table is looked at in this interval. */
const restlessMilliseconds = 5_000;

/** Who follows, and what. The tenant is the follower's own. */
export interface Following extends EventFilter {
  readonly organizationId: string;
  readonly livemode: boolean;
  /** Absent for the pricing models themselves, which whoever runs the organization sees. */
  readonly pricingModelId?: string;
  readonly apiKeyId: string | undefined;
  /** When the follower's key expires, and the following with it. */
  readonly expiresAt: Date | null;
}

/** The change feed as this process follows it: each event is read once, whoever wants it. */
export interface EventHub extends AsyncDisposable {
  /** Events after a sequence, then live ones, without gap or repetition; from now on without it. */
  follow(following: Following, after?: number): Promise<AsyncIterableIterator<Event>>;
  onEach(listener: (event: Event) => void): void;
  /** Ends what a key follows, which it must not see any longer. */
  dismiss(apiKeyId: string): void;
  onDismissal(listener: (apiKeyId: string) => void): void;
}

interface Follower {
  readonly following: Following;
  offer(event: Event): void;
  end(error?: Error): void;
}

/**
 * Follows the feed over one listening connection, which only wakes: what has happened is read from the
 * table. A lost connection is replaced, with growing pauses, and nothing is missed by it.
 */
export async function openEventHub(
  orm: MikroORM,
  databaseUrl: string,
  logger: Logger,
): Promise<EventHub> {
  const everyone = new Set<Follower>();
  /** Those that have caught up, and are given each event as it comes. */
  const live = new Set<Follower>();
  const listeners: ((event: Event) => void)[] = [];
  const dismissals: ((apiKeyId: string) => void)[] = [];
  let closed = false;
  let reading: Promise<void> | undefined;
  let again = false;
  let last = await present();
  let client = await listen();
  const restless = setInterval(wake, restlessMilliseconds).unref();

  return {
    follow,
    onEach: (listener) => listeners.push(listener),
    dismiss(apiKeyId) {
      for (const follower of everyone) {
        if (follower.following.apiKeyId === apiKeyId) follower.end(keyGone());
      }
      for (const listener of dismissals) listener(apiKeyId);
    },
    onDismissal: (listener) => dismissals.push(listener),
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(restless);
      for (const follower of everyone) follower.end();
      await client.end().catch(() => {});
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
    });
    // The error that ends a connection is also told by its end, which is what is acted on.
    next.on('error', (error) => logger.warn({ err: error }, 'The listening connection has failed'));
    next.on('notification', wake);
    await next.connect();
    await next.query('listen tollgate_event');
    next.on('end', () => void reconnect());
    return next;
  }

  async function reconnect() {
    for (let pause = 100; !closed; pause = Math.min(pause * 2, longestPauseMilliseconds)) {
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      try {
        client = await listen();
        if (closed) await client.end();
        return wake();
      } catch (error) {
        logger.warn({ err: error }, 'Listening for events again has failed');
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
        const em = orm.em.fork();
        await sequenceEvents(em);
        const events = await page(em, {}, last, undefined);
        for (const event of events) publish(event);
        if (events.length === pageSize) again = true;
      } catch (error) {
        logger.warn({ err: error }, 'Reading the feed has failed; it is tried again');
        await new Promise((resolve) => setTimeout(resolve, 500).unref());
        again = true;
      }
    }
  }

  function publish(event: Event) {
    last = event.sequence ?? last;
    for (const listener of listeners) listener(event);
    for (const follower of live) if (concerns(event, follower.following)) follower.offer(event);
  }

  /** «From now on» is after the last event there is, whether this process has read it or not. */
  async function follow(following: Following, given?: number) {
    const after = given ?? (await present());
    const queue: Event[] = [];
    let cursor: number | undefined = after;
    let delivered = after;
    let ended = false;
    let failure: Error | undefined;
    let wakeUp = () => {};
    const expiry = timer(following.expiresAt, () => follower.end(keyGone()));
    const follower: Follower = {
      following,
      offer(event) {
        if (event.sequence != null && event.sequence <= after) return;
        queue.push(event);
        if (queue.length > longestQueue) return follower.end(tooSlow(delivered));
        wakeUp();
      },
      end(error) {
        ended = true;
        failure = error;
        // What could not be delivered is not wanted any longer; it can be read again.
        if (error) queue.length = 0;
        clearTimeout(expiry);
        live.delete(follower);
        everyone.delete(follower);
        wakeUp();
      },
    };
    // Known from the start, so that its key can be taken from it while it still catches up.
    everyone.add(follower);
    const done = { done: true, value: undefined } as const;

    const iterator: AsyncIterableIterator<Event> = {
      async next() {
        while (!ended && cursor !== undefined && queue.length === 0) await catchUp();
        while (!ended && queue.length === 0) await new Promise<void>((wake) => (wakeUp = wake));
        const event = queue.shift();
        if (!event) {
          if (!failure) return done;
          const error = failure;
          failure = undefined;
          throw error;
        }
        delivered = event.sequence ?? delivered;
        return { done: false, value: event };
      },
      async return() {
        follower.end();
        return done;
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;

    /** Reads what was missed, up to where the hub is; from there on the hub itself delivers. */
    async function catchUp() {
      const em = orm.em.fork();
      const start = await startOf(em, cursor ?? 0);
      const horizon = last;
      const missed = await page(em, following, start, horizon);
      queue.push(...missed);
      // The hub itself may not have come as far as the place that was taken; never back behind it.
      cursor = Math.max(
        start,
        missed.length === pageSize ? (missed.at(-1)?.sequence ?? 0) : horizon,
      );
      // Nothing is awaited between this look and joining, so no event can slip in between.
      if (missed.length === pageSize || horizon !== last) return;
      cursor = undefined;
      if (!ended) live.add(follower);
    }
  }
}

/** Raw of any tenant: whoever asks is given what their own following admits. */
function page(
  em: MikroORM['em'],
  following: Partial<Following>,
  after: number,
  upTo: number | undefined,
): Promise<Event[]> {
  const { organizationId, livemode, pricingModelId } = following;
  return em.find(
    Event,
    {
      ...(organizationId !== undefined && { organizationId }),
      ...(livemode !== undefined && { livemode }),
      ...(pricingModelId !== undefined && { pricingModelId }),
      ...conditionOf(following),
      sequence: { $gt: after, ...(upTo !== undefined && { $lte: upTo }) },
    },
    { filters: { tenant: false }, orderBy: { sequence: 'asc' }, limit: pageSize },
  );
}

const longestTimerMilliseconds = 2_147_483_647;

function timer(at: Date | null, end: () => void) {
  const milliseconds = at === null ? Number.POSITIVE_INFINITY : at.getTime() - Date.now();
  if (milliseconds > longestTimerMilliseconds) return undefined;
  return setTimeout(end, Math.max(0, milliseconds)).unref();
}

const concerns = (event: Event, following: Following) =>
  event.organizationId === following.organizationId &&
  event.livemode === following.livemode &&
  (following.pricingModelId === undefined || event.pricingModelId === following.pricingModelId) &&
  isWanted(event, following);

const tooSlow = (delivered: number) =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    `More than ${longestQueue} events are waiting to be received; follow again after sequence ${delivered}`,
  );

const keyGone = () =>
  new DomainError('UNAUTHORIZED', 'The API key has been revoked or has expired');
