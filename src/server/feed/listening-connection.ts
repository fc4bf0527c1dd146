import pg from 'pg';
import { logged } from '#domain/kernel/database-failure.ts';
import { isLost } from '../database/lost-connection.ts';
import { wakeUpChannels } from '../database/wake-ups.ts';
import { withinRunningTime } from '../database/within-running-time.ts';
import type { Logger } from '../observability/logger.ts';

const longestPauseMilliseconds = 10_000;

/** How the listening connection is checked. */
export interface Heartbeat {
  /** The interval of the checks. */
  readonly everyMilliseconds: number;
  /** The timeout for connecting and for a response. */
  readonly longestAnswerMilliseconds: number;
}

/** How a process hears of changes that others have made. */
interface Listeners {
  onNotification(channel: string, payload: string): void;
  /** Is called after a lost connection was replaced: notifications may have been missed. */
  onInterruption(): void;
  /** Returns the statements of the next check, which look for what no notification has named. */
  nextLook(): Look;
}

/** Statements without parameters, which are sent together. */
export interface Look {
  readonly text: string;
  /** Gets the results, and the instant of `performance.now()` before them; undefined where it has failed. */
  heard(results: readonly pg.QueryResult[] | undefined, began: number): void;
}

/** The connection that listens for wake-ups, and sends those of this process. */
export interface ListeningConnection extends AsyncDisposable {
  send(sql: string, values: readonly unknown[]): Promise<unknown>;
}

/** Listens for wake-ups. A lost connection is replaced, with growing pauses. */
export async function openListeningConnection(
  databaseUrl: string,
  logger: Logger,
  { everyMilliseconds, longestAnswerMilliseconds }: Heartbeat,
  { onNotification, onInterruption, nextLook }: Listeners,
): Promise<ListeningConnection> {
  let closed = false;
  let client = await listen();

  return {
    send: (text, values) =>
      answered(inTurn(client, { name: 'wake up', text, values: [...values] })),
    async [Symbol.asyncDispose]() {
      closed = true;
      await client
        .end()
        .catch((error) => logger.warn(logged(error), 'The listening connection did not close'));
    },
  };

  /** The driver's own limit would count a moment in which this process was frozen. */
  function answered<T>(response: Promise<T>): Promise<T> {
    return withinRunningTime(longestAnswerMilliseconds, response);
  }

  async function listen() {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'tollgate listen',
      connectionTimeoutMillis: longestAnswerMilliseconds,
    });
    // The end of a connection follows its error, and is handled.
    next.on('error', (error) => logger.warn(logged(error), 'The listening connection has failed'));
    next.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload));
    await next.connect();
    try {
      const listens = wakeUpChannels.map((channel) => `listen ${channel}`).join('; ');
      // A look that takes long is given up before the connection is.
      const limit = Math.round(longestAnswerMilliseconds * 0.6);
      await answered(next.query(`set statement_timeout = ${limit}; ${listens}`));
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

  /**
   * A connection that only listens would not notice that the network drops its notifications. So it looks for what no
   * notification has named. An error of the statements themselves leaves the connection as it is.
   */
  async function beat(listening: pg.Client) {
    const look = nextLook();
    try {
      const began = performance.now();
      const results = await answered(inTurn(listening, { text: look.text }));
      look.heard([results].flat() as unknown as pg.QueryResult[], began);
    } catch (error) {
      look.heard(undefined, 0);
      if (listening === client && !isLost(error)) {
        logger.warn(logged(error), 'A look for events and for due jobs has failed');
        return;
      }
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
        return onInterruption();
      } catch (error) {
        logger.warn(logged(error), 'Listening for events again has failed');
      }
    }
  }
}

const turns = new WeakMap<pg.Client, Promise<unknown>>();

/** One statement at a time on a connection, which plans a named one once. */
function inTurn(client: pg.Client, statement: pg.QueryConfig) {
  const query = () => client.query(statement);
  const turn = (turns.get(client) ?? Promise.resolve()).then(query, query);
  turns.set(client, turn);
  return turn;
}
