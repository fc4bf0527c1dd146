import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { CheckedPool } from '#server/database/pool.ts';
import { type Archiving, type WrittenFile, writeMonth } from './archive-month.ts';

/** How long the switch waits for transactions in progress, while new ones wait for it. */
const lockTimeout = '5s';
const switchAttempts = 5;
const lockNotAvailable = '55P03';

/**
 * Moves months of usage events that ended a given number of months ago from the database to files, and those that were
 * detached earlier. A month leaves the database in the transaction that names its files, after these were verified. One
 * that fails stays where it is. Returns the names of the tables that this call has moved.
 */
export async function archiveUsageEventMonths(
  em: EntityManager,
  now: Date,
  months: number,
  archiving: Archiving & { readonly onFailure: OnFailure },
): Promise<string[]> {
  const pool = (await em.getConnection().getNativeClient()) as unknown as pg.Pool;
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname ~ '^usage_event_[0-9]{4}_[0-9]{2}$'
       and (not exists (select from pg_inherits i where i.inhrelid = c.oid)
         or to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month'
           <= date_trunc('month', $1::timestamptz at time zone 'UTC') - $2::int * interval '1 month')
     order by 1`,
    [now, months],
  );
  const gone: string[] = [];
  for (const { name } of rows) {
    try {
      if (await archiveMonth(pool, name, archiving)) gone.push(name);
    } catch (error) {
      // Each statement fails where another process has dropped the table just before it.
      if (await isGone(pool, name).catch(() => false)) continue;
      archiving.onFailure(named(error, name, archiving.folder), { id: name });
    }
  }
  return gone;
}

async function isGone(pool: pg.Pool, name: string): Promise<boolean> {
  const { rows } = await pool.query<{ gone: boolean }>('select to_regclass($1) is null as gone', [
    name,
  ]);
  return rows[0]?.gone === true;
}

/** A full disk, of which the library of the files and the system each have an error of their own. */
function named(error: unknown, table: string, folder: string): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const isFull = code === 'ENOSPC' || /no space left|not enough space/i.test(message ?? '');
  if (!isFull) return error;
  const problem = `The disk of HISTORY_DIR is full: ${table} stays in the database. Free space in ${folder}; the next run tries again`;
  return new Error(problem, { cause: error });
}

/**
 * Moves one month. Returns false where another process does it, or where an event has changed meanwhile. The files stay
 * then, since another process may have written the same ones; no row names them.
 */
async function archiveMonth(pool: pg.Pool, name: string, archiving: Archiving): Promise<boolean> {
  const { rows } = await pool.query<{ seen: string }>(
    'select watch_usage_event_month($1) as seen',
    [name],
  );
  // The driver's own limit would end a long copy, and also fires after a copy that has ended. A pipeline refuses streams.
  const unlimited = new CheckedPool({
    ...pool.options,
    password: pool.options.password,
    min: 0,
    max: 1,
    query_timeout: 0,
    pipeline: false,
  });
  const files = await inTransaction(
    unlimited,
    'begin isolation level repeatable read read only',
    async (client) => {
      await client.query('set local statement_timeout = 0');
      await client.query('set local idle_in_transaction_session_timeout = 0');
      const { rows } = await client.query(
        `select pg_try_advisory_xact_lock(hashtext('usage_history')) as mine, to_regclass($1) is not null as there`,
        [client.escapeIdentifier(name)],
      );
      return rows[0].mine && rows[0].there ? writeMonth(client, name, archiving) : undefined;
    },
  ).finally(() => unlimited.end());
  if (!files) return false;
  const isGone = await switchMonth(pool, name, files, rows[0]?.seen ?? '0');
  if (isGone) await archiving.onStep?.('dropped');
  return isGone;
}

/** Names the files of a month and drops its table. */
async function switchMonth(
  pool: pg.Pool,
  name: string,
  files: readonly WrittenFile[],
  seen: string,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, 'begin', async (client) => {
        await client.query(`set local lock_timeout = '${lockTimeout}'`);
        await insertFiles(client, name, files);
        const { rows } = await client.query<{ gone: boolean }>(
          'select drop_usage_event_month($1, $2) as gone',
          [name, seen],
        );
        if (rows[0]?.gone !== true) await client.query('rollback');
        return rows[0]?.gone === true;
      });
    } catch (error) {
      const isBusy = (error as { code?: string }).code === lockNotAvailable;
      if (!isBusy || attempt >= switchAttempts) throw error;
    }
  }
}

async function insertFiles(client: pg.ClientBase, name: string, files: readonly WrittenFile[]) {
  const month = `${name.slice(-7).replace('_', '-')}-01`;
  for (const file of files) {
    await client.query(
      `insert into usage_history_file (organization_id, livemode, month, path, bytes, sha256, events, events_of,
         first_created_at, last_created_at, first_usage_date, last_usage_date)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        file.organizationId,
        file.livemode,
        month,
        file.path,
        file.bytes,
        file.sha256,
        file.events,
        JSON.stringify(file.eventsOf),
        new Date(file.firstCreatedAt),
        new Date(file.lastCreatedAt),
        new Date(file.firstUsageDate),
        new Date(file.lastUsageDate),
      ],
    );
  }
}

async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    failure = error as Error;
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    // A connection whose transaction may be open is not used again.
    client.release(failure !== undefined);
  }
}
