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
    this.#pool = new CheckedPool(this.mapOptions(overrides));
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

/** The text of a statement, which has a name if it is known. */
const textOf = (sql: string | pg.QueryConfig) => (typeof sql === 'string' ? sql : sql.text);

/** A connection in use. */
class Lease implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #lost: Error | undefined;
  #released = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  get isLost() {
    return this.#lost !== undefined;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!isTraced()) return this.#execute<R>(query);
    const text = textOf(query.sql);
    const [operation = ''] = text.trimStart().split(/\s/, 1);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation.toUpperCase(),
      'db.query.text': text,
    };
    const facts = { kind: SpanKind.CLIENT, attributes };
    return inSpan(operation.toUpperCase(), facts, () => this.#execute<R>(query));
  }

  async #execute<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // A statement would wait behind the unanswered one.
    if (this.#lost) throw this.#lost;
    const began = performance.now();
    try {
      const { command, rowCount, rows } = await this.#send(sql, parameters as unknown[]);
      const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
      return { ...(changes && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: rows ?? [] };
    } catch (error) {
      if (isLost(error)) this.#lost ??= error as Error;
      throw error;
    } finally {
      countStatement(textOf(sql), began);
    }
  }

  /** The driver copies a statement that is an object property by property; one that it is given as its own is not copied. */
  #send(sql: string | pg.QueryConfig, parameters: unknown[]): Promise<pg.QueryResult> {
    if (typeof sql === 'string') return this.#client.query(sql, parameters);
    return new Promise((resolve, reject) => {
      const query = new pg.Query(sql.text, parameters, (error, result) =>
        error ? reject(error) : resolve(result as unknown as pg.QueryResult),
      );
      this.#client.query(sql.name === undefined ? query : Object.assign(query, { name: sql.name }));
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
    try {
      await run(connection, `begin${level}${accessMode ? ` ${accessMode}` : ''}`);
    } catch (error) {
      connection.release(error);
      throw error;
    }
  }

  async commitTransaction(connection: Lease) {
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
