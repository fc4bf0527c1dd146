import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { scratchRoot } from '../scratch-root.ts';

/** The database of a cell on a server of its own. */
export interface Cell {
  readonly name: string;
  readonly databaseUrl: string;
  readonly orm: MikroORM;
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Two cells, each with a PostgreSQL server; the first has an organization that is founded at its start. */
export interface Cells extends AsyncDisposable {
  readonly first: Cell;
  readonly second: Cell;
}

/** Starts two cells with the programs of the embedded database. */
export async function twoCells(): Promise<Cells> {
  await using opened = new AsyncDisposableStack();
  const [first, second] = await Promise.all([
    startCell('first', opened),
    startCell('second', opened),
  ]);
  const running = opened.move();
  return { first, second, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Starts the database of a cell, which ends with `opened`. */
export async function startCell(name: string, opened: AsyncDisposableStack): Promise<Cell> {
  const dataDir = await mkdtemp(path.join(await scratchRoot(), `tollgate-cell-${name}-`));
  await chmod(dataDir, 0o711);
  opened.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 9 }));
  const server = opened.use(await startEmbeddedPostgres({ dataDir, durable: false, cell: name }));
  const { databaseUrl } = server;
  await prepareDatabase(databaseUrl, { now: new Date(), founds: false });
  const orm = await connect({ databaseUrl, poolSize: 20, statementTimeoutSeconds: 30 });
  opened.defer(() => orm.close(true));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  // A server that a test stops ends idle connections.
  pool.on('error', () => {});
  opened.defer(() => pool.end());
  return {
    name,
    databaseUrl,
    orm,
    query: async (sql, values = []) => (await pool.query(sql, [...values])).rows,
  };
}
