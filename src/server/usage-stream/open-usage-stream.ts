import type { EntityManager } from '@mikro-orm/postgresql';
import type { NatsConnection } from '@nats-io/transport-node';
import { ConfigError, type NatsSettings } from '#config';
import { useUsageStream } from '#domain/recording/inbox/usage-stream.ts';
import { runningTime } from '#engines/process/running-time.ts';
import { sleepUnless } from '#engines/process/sleep-unless.ts';
import type { Logger } from '../observability/logger.ts';
import { checkDisks, readDisks } from './check-disks.ts';
import { connectionOptions } from './connection-options.ts';
import { forwardUsage } from './forward-usage.ts';
import { moveMessages } from './move-messages.ts';
import { createNatsStream, type Ready } from './nats-stream.ts';
import { type PendingMessages, pendingMessages } from './pending-messages.ts';
import { isUnchanged, prepareStreams } from './prepare-streams.ts';
import { type StreamHealth, streamHealth } from './stream-health.ts';

/** The stream that accepts usage outside of the database, as this process sees it. */
export interface OpenUsageStream extends AsyncDisposable {
  /** Whether usage can be accepted now, as far as it is known. */
  isReady(): boolean;
  /** The messages that are not in the inbox; none while the stream cannot be asked. */
  pending(em: EntityManager): Promise<PendingMessages[]>;
  /** The servers and streams as they are now; undefined while they cannot be asked. */
  health(): Promise<ServersHealth | undefined>;
  /** Moves messages into the inbox until the result is disposed of. */
  move(em: EntityManager): AsyncDisposable;
}

/** The state of JetStream, as a connected process reads it. */
export interface ServersHealth {
  /** The version of the server that answers. */
  readonly version: string;
  /** Why the disks of some servers are not checked. */
  readonly unread: readonly string[];
  readonly streams: readonly StreamHealth[];
}

/** How often the streams are tried, or checked. */
const pauseMilliseconds = 2_000;
/** How often the disks of all servers are checked; while one is away, it is at each check of the streams. */
const disksMilliseconds = 60_000;
/** The time in which another server is usually found; calls wait for it. */
const graceMilliseconds = 3_000;

/**
 * Connects to JetStream. Servers that cannot be reached are tried until they can; meanwhile calls and reads that need
 * them are refused. Streams that do not exist are created, unless `creates` is false. Errors: ConfigError for streams or servers that could lose acknowledged usage.
 */
export async function openUsageStream(
  settings: NatsSettings,
  logger: Logger,
  { creates = true }: { readonly creates?: boolean } = {},
): Promise<OpenUsageStream> {
  const [{ connect }, { jetstream }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ]);
  const options = await connectionOptions(settings);
  const stop = new AbortController();
  let connection: NatsConnection | undefined;
  let lostAt: number | undefined;
  let ready: Ready | undefined;
  let answers = true;
  let unread: readonly string[] = [];
  let unsafe: string | undefined;
  let disksAt = performance.now();
  let jobs: EntityManager | undefined;
  let moving: { readonly stop: AbortController; readonly done: Promise<unknown> } | undefined;

  try {
    await prepare();
  } catch (error) {
    if (error instanceof ConfigError) {
      await (connection as NatsConnection | undefined)?.close();
      throw error;
    }
    logger.warn({ err: error }, 'NATS cannot be reached; it is tried again');
  }
  useUsageStream(createNatsStream(usable, () => unsafe === undefined));
  const watching = watch();

  return {
    isReady: () => lostAt === undefined && ready !== undefined && answers && unsafe === undefined,
    async pending(em) {
      const found = usable();
      return found ? pendingMessages(found, em) : [];
    },
    async health() {
      const found = usable();
      const version = connection?.info?.version;
      if (!found || !version) return undefined;
      return { version, unread, streams: await streamHealth(found) };
    },
    move(em) {
      jobs = em;
      if (ready) startMoving(ready);
      return {
        async [Symbol.asyncDispose]() {
          jobs = undefined;
          await stopMoving();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      useUsageStream(undefined);
      stop.abort();
      await watching;
      await connection?.close();
    },
  };

  function usable(): Ready | undefined {
    const isLost = lostAt !== undefined && runningTime() - lostAt > graceMilliseconds;
    return isLost ? undefined : ready;
  }

  async function prepare() {
    if (!connection) {
      connection = await connect(options);
      void follow(connection);
    }
    unread = await checkDisks(settings.monitoringUrls);
    const client = jetstream(connection);
    const partitions = await prepareStreams(await client.jetstreamManager(), settings, { creates });
    ready = { client, partitions, largestMessage: connection.info?.max_payload ?? 0 };
    if (jobs) startMoving(ready);
    logger.info(`JetStream accepts usage of the cell ${settings.cell}`);
    for (const problem of unread) {
      logger.warn(`The disk of a NATS server is not checked: ${problem}`);
    }
    if (settings.monitoringUrls.length > 0) return;
    logger.warn(
      'NATS_MONITORING_URLS is not set, so it is not checked that each NATS server has sync_interval: always',
    );
  }

  /** Tries streams that cannot be used yet, and notices those that someone has created anew. */
  async function watch() {
    let before = '';
    for (;;) {
      await sleepUnless(stop.signal, pauseMilliseconds);
      if (stop.signal.aborted) return;
      try {
        if (!ready) await prepare();
        else if (!(await isUnchanged(ready))) {
          logger.error('Another stream has the name of one that accepts usage; it is used now');
          ready = undefined;
          await stopMoving();
          await prepare();
        }
        await checkAgain();
        answers = true;
        before = '';
      } catch (error) {
        answers = false;
        const { message } = error as Error;
        if (message !== before) logger.error({ err: error }, 'JetStream cannot be used');
        before = message;
      }
    }
  }

  /** A server that was away may come back with a configuration that could lose accepted usage. */
  async function checkAgain() {
    const isDue = unread.length > 0 || performance.now() - disksAt > disksMilliseconds;
    if (!isDue && unsafe === undefined) return;
    const found = await readDisks(settings.monitoringUrls);
    disksAt = performance.now();
    if (found.unsafe && found.unsafe !== unsafe) {
      logger.error(`${found.unsafe}. Usage is refused until then`);
    }
    if (unsafe && !found.unsafe) logger.info('Usage is accepted again');
    const isComplete = unread.length > 0 && found.unread.length === 0 && !found.unsafe;
    if (isComplete) logger.info('The disks of all NATS servers are checked');
    ({ unread, unsafe } = found);
  }

  function startMoving({ client, partitions }: Ready) {
    if (!jobs || moving) return;
    const em = jobs.fork();
    const own = new AbortController();
    const onFailure = (error: unknown) =>
      logger.error({ err: error }, 'Accepted usage could not be moved; it is tried again');
    const options = { em, client, stop: own.signal, onFailure };
    const work = partitions.map((partition) => moveMessages({ ...options, partition }));
    moving = { stop: own, done: Promise.all([...work, forwardUsage(options)]) };
  }

  async function stopMoving() {
    moving?.stop.abort();
    await moving?.done;
    moving = undefined;
  }

  async function follow(current: NatsConnection) {
    for await (const { type } of current.status()) {
      if (type === 'disconnect') {
        lostAt ??= runningTime();
        logger.warn('The connection to NATS is lost; another server is tried');
      }
      if (type === 'reconnect') {
        lostAt = undefined;
        logger.info('NATS is connected again');
      }
    }
  }
}
