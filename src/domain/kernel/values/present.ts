import type { EntityManager, PostgreSqlConnection } from '@mikro-orm/postgresql';

/** Reads the database's clock. */
export const clockText = 'select extract(epoch from clock_timestamp())::float8 * 1000 as shown';

/** The driver ends it after 5 seconds without an answer, and closes the connection. */
const question = {
  text: clockText,
  query_timeout: 5_000,
};

/** One reading of the database's clock; instants of this process are monotonic milliseconds. */
interface Reading {
  /** The middle between query and result. */
  readonly at: number;
  /** Milliseconds since 1970 by the database's clock. */
  readonly shown: number;
  /** Milliseconds by which it may be wrong: half the duration of the query. */
  readonly error: number;
}

/** The largest drift between clocks, as a share of the elapsed time. */
const drift = 1e-4;
const refreshMilliseconds = 10_000;
const longestTrustMilliseconds = 60_000;

const clocks = new WeakMap<object, DatabaseClock>();

/**
 * The present by the database's clock, exact to the duration of a query. Use it for reads and for decisions without a
 * lock, so that processes with different clocks agree; under a lock `atPresent` is exact.
 */
export const presentOf = (em: EntityManager): Promise<Date> => clockOf(em).now();

/** The same by a new reading, also where the clock has just been set. Errors: those of the database. */
export const presentAfresh = (em: EntityManager): Promise<Date> => clockOf(em).nowAfresh();

/** The same at once; undefined when the last reading is too old. */
export const recentPresent = (em: EntityManager): Date | undefined => clockOf(em).recent();

/** The same without waiting, by the last reading. Errors: `presentOf` has never been called on this connection. */
export const lastKnownPresent = (em: EntityManager): Date => clockOf(em).guess();

/**
 * Learns what the clock has shown on another connection, in a statement that was sent at an instant of
 * `performance.now()` and has just been answered. So a process that asks regularly needs no readings of its own.
 */
export const learnPresent = (em: EntityManager, shown: number, began: number) =>
  clockOf(em).learn(shown, began);

function clockOf(em: EntityManager): DatabaseClock {
  const connection = em.getConnection() as PostgreSqlConnection;
  const clock = clocks.get(connection) ?? new DatabaseClock(connection);
  clocks.set(connection, clock);
  return clock;
}

/** Follows the database's clock with a query every 10 seconds of use. */
class DatabaseClock {
  readonly #connection: PostgreSqlConnection;
  #reading: Reading | undefined;
  #asking: Promise<void> | undefined;

  constructor(connection: PostgreSqlConnection) {
    this.#connection = connection;
  }

  /** Errors: those of the database, if the last reading is older than 1 minute. */
  async now(): Promise<Date> {
    const age = this.#age();
    if (age > refreshMilliseconds) {
      const asking = this.#askOnce();
      // The last reading is good enough meanwhile. A failed query leaves it; callers get the error after 1 minute.
      if (age > longestTrustMilliseconds) await asking;
      else asking.catch(() => undefined);
    }
    return this.guess();
  }

  async nowAfresh(): Promise<Date> {
    await this.#askOnce();
    return this.guess();
  }

  recent(): Date | undefined {
    return this.#age() > refreshMilliseconds ? undefined : this.guess();
  }

  guess(): Date {
    if (!this.#reading) throw new Error("The database's clock has not been read yet");
    return new Date(this.#reading.shown + performance.now() - this.#reading.at);
  }

  #age() {
    return this.#reading ? performance.now() - this.#reading.at : Number.POSITIVE_INFINITY;
  }

  #askOnce(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Errors: those of the database, and one after 5 seconds without an answer. */
  async #ask() {
    const pool = await this.#connection.getNativeClient();
    const began = performance.now();
    const { rows } = await pool.query<{ shown: number }>(question);
    this.learn(Number(rows[0]?.shown), began);
  }

  learn(shown: number, began: number) {
    const error = (performance.now() - began) / 2;
    this.#reading = better(this.#reading, { at: began + error, shown, error });
  }
}

/** A less exact new reading also replaces the old one when that cannot be right: the clock was set. */
function better(old: Reading | undefined, next: Reading): Reading {
  if (!old) return next;
  const passed = next.at - old.at;
  const error = old.error + passed * drift;
  const expected = old.shown + passed;
  const isSet = Math.abs(next.shown - expected) > error + next.error;
  return isSet || next.error <= error ? next : { at: next.at, shown: expected, error };
}
