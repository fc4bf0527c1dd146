import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '#config';
import { placeOf } from '#server/database/start-connection.ts';

/** The database of one cell, over one connection. */
export type CellClient = pg.Client;

const lockAttempts = 150;
const lockMilliseconds = 200;
const pauseMilliseconds = 800;

/** The server ends the session of a program that has died, or whose machine has, within seconds: its locks end with it. */
const watched = `set client_connection_check_interval = '1s'; set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1;
  set tcp_keepalives_count = 3; set tcp_user_timeout = '5s'`;

/** Connects to the database of a cell. Rows are written as text in one form, whatever the settings of the role are. */
export async function connectToCell(databaseUrl: string, which: string): Promise<CellClient> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'tollgate tenant',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // The next statement reports a lost connection.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0;
      set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601';
      set bytea_output = 'hex'; set extra_float_digits = 1; set synchronous_commit = on; ${watched}`);
  } catch (error) {
    // The connection may be broken already; the error below is the reason.
    await client.end().catch(() => {});
    throw new ConfigError(
      `The database of ${which} ${placeOf(databaseUrl)} cannot be used: ${(error as Error).message}`,
    );
  }
  return client;
}

/**
 * Executes a statement that locks a table for all. It waits for the lock only briefly, since others wait behind it, and
 * tries again. Errors: ConfigError when a table is never free.
 */
export async function changeTable(client: CellClient, sql: string) {
  await client.query(`set lock_timeout = ${lockMilliseconds}`);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(sql);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== '55P03') throw error;
        if (attempt === lockAttempts) {
          throw new ConfigError(
            `A table is in use by a long transaction, so it cannot be changed: ${sql.slice(0, 120)}`,
          );
        }
        await sleep(pauseMilliseconds);
      }
    }
  } finally {
    await client.query('set lock_timeout = 0');
  }
}

/** The name of everything that belongs to the move of an organization: trigger, publication, subscription and slot. */
export async function moveName(client: CellClient, organizationId: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select 'tollgate_move_' || left(md5($1), 12) as name`,
    [organizationId],
  );
  return rows[0]?.name ?? '';
}
