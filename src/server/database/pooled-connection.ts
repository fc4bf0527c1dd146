import { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { CompiledQuery, type Driver, PostgresDialect, type TransactionSettings } from 'kysely';
import type pg from 'pg';
import { Lease } from './lease.ts';
import { CheckedPool } from './pool.ts';

/** The connections of one ORM. */
export class PooledConnection extends PostgreSqlConnection {
  #pool: CheckedPool | undefined;

  override createKyselyDialect(overrides: pg.PoolConfig) {
    // `pipeline` is missing in the types of the driver: a statement does not wait for the result of the one before it.
    const options = { ...this.mapOptions(overrides), pipeline: true };
    this.#pool = new CheckedPool(options);
    return new LeaseDialect(this.#pool);
  }

  /**
   * As the connection's own, but no statement of the transaction waits for the result of the one before it: the server
   * executes them in the order in which they were issued.
   */
  override async begin(options: Parameters<PostgreSqlConnection['begin']>[0] = {}) {
    const transaction = await super.begin(options);
    const lease = await transaction
      .getExecutor()
      .provideConnection(async (connection) => connection);
    const executeQuery: typeof transaction.executeQuery = (query) =>
      lease.executeQuery(query as CompiledQuery<never>);
    return Object.assign(transaction, { executeQuery });
  }

  /** As the connection's own. Errors: those of the driver, also that of an earlier statement. */
  override async commit(...given: Parameters<PostgreSqlConnection['commit']>) {
    try {
      await super.commit(...given);
    } catch (error) {
      throw this.platform.getExceptionConverter().convertException(error as Error);
    }
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
    try {
      await connection.end('commit');
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
      await connection.end('rollback');
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
