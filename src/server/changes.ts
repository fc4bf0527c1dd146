import { EventEmitter, on } from 'node:events';
import pg from 'pg';
import { type Change, changeChannel } from '#domain/events.ts';
import type { Logger } from './logger.ts';

const longestPauseMilliseconds = 10_000;

/** What any process on this database has committed, as this process hears of it. */
export interface ChangeFeed extends AsyncDisposable {
  /** The changes of one object from now on. Ends when it is returned or the feed is disposed. */
  changesOf(objectId: string): AsyncIterable<unknown>;
  onEach(listener: (change: Change) => void): void;
  /** Changes may have been missed: what was remembered of any object may be old. */
  onGap(listener: () => void): void;
}

/**
 * Listens on one database connection. A lost connection is replaced, with growing pauses; since
 * changes may have been missed meanwhile, every watched object then counts as changed.
 */
export async function listenForChanges(databaseUrl: string, logger: Logger): Promise<ChangeFeed> {
  const changes = new EventEmitter();
  const each = new EventEmitter();
  const closing = new AbortController();
  changes.setMaxListeners(0);
  each.setMaxListeners(0);
  let client = await connect();

  return {
    changesOf: (objectId) => ended(on(changes, topicOf(objectId), { signal: closing.signal })),
    onEach: (listener) => each.on('change', listener),
    onGap: (listener) => each.on('gap', listener),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await client.end().catch(() => {});
    },
  };

  async function connect() {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'tollgate listen',
    });
    // The error that ends a connection is also told by its end, which is what is acted on.
    next.on('error', (error) => logger.warn({ err: error }, 'The listening connection has failed'));
    next.on('notification', ({ payload }) => publish(JSON.parse(payload ?? '{}')));
    await next.connect();
    await next.query(`listen ${changeChannel}`);
    next.on('end', () => void reconnect());
    return next;
  }

  async function reconnect() {
    for (
      let pause = 100;
      !closing.signal.aborted;
      pause = Math.min(pause * 2, longestPauseMilliseconds)
    ) {
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      try {
        client = await connect();
        if (closing.signal.aborted) await client.end();
        // Node's iterators listen for `error` too, so only topics are names of objects.
        const topics = changes.eventNames().map(String).filter(isTopic);
        for (const topic of topics) changes.emit(topic);
        each.emit('gap');
        return;
      } catch (error) {
        logger.warn({ err: error }, 'Listening for changes again has failed');
      }
    }
  }

  function publish(change: Change) {
    changes.emit(topicOf(change.objectId), change);
    each.emit('change', change);
  }
}

const topicOf = (objectId: string) => `object ${objectId}`;
const isTopic = (name: string) => name.startsWith('object ');

/** The same iterator, ending instead of throwing when the process is asked to stop. */
function ended(iterator: AsyncIterableIterator<unknown>): AsyncIterableIterator<unknown> {
  const done = { done: true, value: undefined } as const;
  return {
    next: () =>
      iterator.next().catch((error: Error) => {
        if (error.name === 'AbortError') return done;
        throw error;
      }),
    return: async () => (await iterator.return?.()) ?? done,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
