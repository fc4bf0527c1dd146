import type { Socket } from 'node:net';
import { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { SpanKind } from '@opentelemetry/api';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { inSpan, isTraced } from '#domain/kernel/in-span.ts';
import { isLost } from './lost-connection.ts';
import { CheckedPool } from './pool.ts';
import { countStatement } from './statement-count.ts';

/** The connections of one ORM. */
export class PooledConnection extends PostgreSqlConnection {
  #pool: CheckedPool | undefined;

  override createKyselyDialect(overrides: pg.PoolConfig) {
    // `pipeline` is missing in the types of the driver: a statement does not wait for the result of the one before it.
    const options = { ...this.mapOptions(overrides), pipeline: true };
    this.#pool = new CheckedPool(options);
    return new LeaseDialect(this.#pool);
  }

  /** The connections; undefined before the first one is wanted. */
  get pool(): CheckedPool | undefined {
    return this.#pool;
  }

  override async getNativeClient(): Promise<CheckedPool> {
    await this.ensureConnection();
    return this.requireNativeClient(this.#pool);
  }
}

class LeaseDialect extends PostgresDialect {
  readonly #pool: CheckedPool;

  constructor(pool: CheckedPool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): Driver {
    return new LeaseDriver(this.#pool);
  }
}

/** A statement as a connection is given it: its text, which has a name if it is known, or several at once. */
type Given = string | pg.QueryConfig | { readonly several: readonly pg.QueryConfig[] };

/** A statement as it is sent. */
interface Sent {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  /** Whether it was given as a text. */
  readonly isText?: boolean;
}

function toSend(given: Given, values: readonly unknown[]): readonly Sent[] {
  if (typeof given === 'string') return [{ text: given, values, isText: true }];
  return 'several' in given ? given.several : [{ text: given.text, name: given.name, values }];
}

/** A connection in use. */
class Lease implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #lost: Error | undefined;
  #released = false;
  /** The statement that begins a transaction. It leaves together with the first statement within. */
  #opening: string | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  get isLost() {
    return this.#lost !== undefined;
  }

  /** Whether a transaction is begun of which the server knows nothing yet. */
  get isUnopened() {
    return this.#opening !== undefined;
  }

  /** Begins a transaction, with its first statement. */
  open(statement: string) {
    this.#opening = statement;
  }

  /** Forgets a transaction of which the server knows nothing. */
  forget() {
    this.#opening = undefined;
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statements = toSend(sql, parameters);
    if (!isTraced()) return this.#execute<R>(statements);
    const text = statements.map(({ text }) => text).join(';\n');
    const [operation = ''] = text.trimStart().split(/\s/, 1);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation.toUpperCase(),
      'db.query.text': text,
    };
    const facts = { kind: SpanKind.CLIENT, attributes };
    return inSpan(operation.toUpperCase(), facts, () => this.#execute<R>(statements));
  }

  /** Returns the rows of the statement, or of several those of each. */
  async #execute<R>(statements: readonly Sent[]): Promise<QueryResult<R>> {
    // A statement would wait behind the unanswered one.
    if (this.#lost) throw this.#lost;
    const began = performance.now();
    try {
      const results = await this.#sendAll(statements);
      if (results.length > 1) return { rows: results.map(({ rows }) => rows) as R[] };
      const [{ command, rowCount, rows }] = results as [pg.QueryResult];
      const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
      return { ...(changes && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: rows ?? [] };
    } catch (error) {
      if (isLost(error)) this.#lost ??= error as Error;
      throw error;
    } finally {
      for (const { text } of statements) countStatement(text, began);
    }
  }

  /**
   * Sends statements in one write, after that which begins the transaction if it has not left yet. The server executes
   * them one after the other. Errors: that of the first statement that fails.
   */
  async #sendAll(statements: readonly Sent[]): Promise<readonly pg.QueryResult[]> {
    const opening = this.#opening;
    const [first] = statements;
    if (opening === undefined && statements.length === 1 && first) return [await this.#send(first)];
    this.#opening = undefined;
    const { stream } = (this.#client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    const opened = opening === undefined ? undefined : this.#send({ text: opening, isText: true });
    const sent = statements.map((statement) => this.#send(statement));
    stream.uncork();
    const [begun, ...results] = await Promise.allSettled([opened, ...sent]);
    // Without its transaction no statement may follow on this connection.
    if (begun?.status === 'rejected') throw (this.#lost = begun.reason as Error);
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value as pg.QueryResult;
    });
  }

  /** The driver copies a statement that is an object property by property; one that it is given as its own is not copied. */
  #send({ text, name, values, isText }: Sent): Promise<pg.QueryResult> {
    if (isText) return this.#client.query(text, values as unknown[]);
    return new Promise((resolve, reject) => {
      const query = new pg.Query(text, values as unknown[], (error, result) =>
        error ? reject(error) : resolve(result as unknown as pg.QueryResult),
      );
      this.#client.query(name === undefined ? query : Object.assign(query, { name }));
    });
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams of rows are not used');
  }

  /** Returns the connection to the pool, or removes it when it is lost. Any further call changes nothing. */
  release(error?: unknown) {
    if (this.#released) return;
    this.#released = true;
    this.#client.release((error ?? this.#lost) as Error | undefined);
  }
}

/**
 * Hands out connections. Kysely never releases the connection of a transaction whose begin, commit or
 * rollback fails (kysely-org/kysely#1990), so this does.
 */
class LeaseDriver implements Driver {
  readonly #pool: CheckedPool;

  constructor(pool: CheckedPool) {
    this.#pool = pool;
  }

  async init() {}

  async acquireConnection() {
    return new Lease(await this.#pool.connect());
  }

  async beginTransaction(connection: Lease, settings: TransactionSettings) {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    connection.open(`begin${level}${accessMode ? ` ${accessMode}` : ''}`);
  }

  async commitTransaction(connection: Lease) {
    if (connection.isUnopened) return connection.forget();
    try {
      await run(connection, 'commit');
    } catch (error) {
      // A rollback follows a commit that the server refuses, and needs the connection.
      if (connection.isLost) connection.release();
      throw error;
    }
  }

  async rollbackTransaction(connection: Lease) {
    // The server rolls back the open transaction of a lost connection.
    if (connection.isLost) return connection.release();
    if (connection.isUnopened) return connection.forget();
    try {
      await run(connection, 'rollback');
    } catch (error) {
      connection.release(error);
      throw error;
    }
  }

  savepoint = (connection: Lease, name: string) => run(connection, `savepoint "${name}"`);
  rollbackToSavepoint = (connection: Lease, name: string) =>
    run(connection, `rollback to savepoint "${name}"`);
  releaseSavepoint = (connection: Lease, name: string) =>
    run(connection, `release savepoint "${name}"`);

  async releaseConnection(connection: Lease) {
    connection.release();
  }

  async destroy() {
    await this.#pool.wakeUps.flush();
    await this.#pool.end();
  }
}

async function run(connection: Lease, sql: string) {
  await connection.executeQuery(CompiledQuery.raw(sql));
}
