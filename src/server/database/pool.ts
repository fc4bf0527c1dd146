import pg from 'pg';
import { runningTime } from '#engines/process/running-time.ts';
import { WakeUps } from './wake-ups.ts';

/** A connection that has been idle for longer is checked before it is handed out. */
const trustedMilliseconds = 1_000;
/** `query_timeout` is missing in the types of the driver. */
const check = { text: 'select 1', query_timeout: 2_000 } as pg.QueryConfig;

type Callback = Parameters<pg.Pool['connect']>[0];

/**
 * A pool that hands out working connections. It finds dead connections, and connections to a
 * server that is no longer the right one, before use, and removes them.
 */
export class CheckedPool extends pg.Pool {
  /** The wake-ups of the transactions of these connections. */
  readonly wakeUps = new WakeUps((sql, values) => this.query(sql, [...values]));
  readonly #usedAt = new WeakMap<object, number>();
  /** When each connection was handed out; null while it is idle. No entry is deleted for that (see `Roster`). */
  readonly #givenOutAt = new Map<pg.PoolClient, number | null>();
  #distrustedAt = 0;
  #givenAt = runningTime();
  #waiting = 0;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('acquire', (client) => void this.#givenOutAt.set(client, performance.now()));
    this.on('release', (_error, client) => {
      this.#givenOutAt.set(client, null);
      this.#usedAt.set(client, performance.now());
    });
    this.on('remove', (client) => void this.#givenOutAt.delete(client));
    // The user of a connection learns of its end from its next statement; an event without listener ends the process.
    this.on('error', () => {});
    this.on('connect', (client) => {
      client.on('error', () => {});
      this.wakeUps.follow(client);
    });
  }

  /** For how long callers have waited, while this process ran, without any of them getting a connection; else 0. */
  get stuckMilliseconds(): number {
    return this.#waiting === 0 ? 0 : runningTime() - this.#givenAt;
  }

  /** The connections that were handed out before an instant of `performance.now()` and are still in use. */
  inUseBefore(instant: number): pg.PoolClient[] {
    return [...this.#givenOutAt].flatMap(([client, at]) =>
      at !== null && at < instant ? client : [],
    );
  }

  /** Replaces every present connection before it is used again. */
  distrust() {
    this.#distrustedAt = performance.now();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: NonNullable<Callback>): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const given = this.#give();
    if (!callback) return given;
    given.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #give() {
    if (this.#waiting === 0) this.#givenAt = runningTime();
    this.#waiting += 1;
    const began = runningTime();
    try {
      for (;;) {
        const client = await super.connect();
        if (await this.#isUsable(client)) {
          this.#givenAt = runningTime();
          return client;
        }
        const { connectionTimeoutMillis = 0 } = this.options;
        if (connectionTimeoutMillis > 0 && runningTime() - began > connectionTimeoutMillis) {
          throw new Error('timeout exceeded when trying to connect');
        }
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  async #isUsable(client: pg.PoolClient) {
    const usedAt = this.#usedAt.get(client);
    if (usedAt === undefined) return true;
    if (usedAt < this.#distrustedAt) {
      client.release(true);
      return false;
    }
    if (performance.now() - usedAt < trustedMilliseconds) return true;
    try {
      await client.query(check);
      return true;
    } catch (error) {
      client.release(error as Error);
      // Where one connection was lost silently, the others were, too.
      this.distrust();
      return false;
    }
  }
}
