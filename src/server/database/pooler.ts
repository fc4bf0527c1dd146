import pg from 'pg';
import { ConfigError } from '#config';
import type { DatabaseUrls } from '../database-roles.ts';
import { placeOf } from './start-connection.ts';

/** How long the statements of one role may run and wait, in milliseconds. */
export interface TimeLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/** Whether a pooler is in between: a server states its own process number when a connection begins, a pooler another. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0].pid !== (client as pg.Client & { processID?: number }).processID;
}

/**
 * Refuses a pooler where locks and notifications need the server itself: they belong to a connection, and a pooler
 * lends it to others. `client` leads to `ownerUrl`. Errors: ConfigError.
 */
export async function refusePooler(
  client: pg.Client,
  { serviceUrl, ownerUrl }: Pick<DatabaseUrls, 'serviceUrl' | 'ownerUrl'>,
) {
  const pooled =
    (await isPooled(client)) || (serviceUrl !== ownerUrl && (await over(serviceUrl, isPooled)));
  if (!pooled) return;
  throw new ConfigError(
    `DATABASE_URL ${placeOf(serviceUrl)} leads through a pooler of connections: set DATABASE_DIRECT_URL to the same database at the server itself`,
  );
}

/**
 * Limits the statements of the role of the service in this database: a pooler passes no limits of single connections
 * on. Call it under the start lock. Reports limits that the pooler's present connections do not have yet. Errors:
 * ConfigError where the two addresses have different roles or databases.
 */
export async function limitRole(
  { serviceUrl, directUrl }: Pick<DatabaseUrls, 'serviceUrl' | 'directUrl'>,
  limits: TimeLimits,
  report: (message: string) => void,
) {
  const wanted = Object.entries(limits).map(([name, value]) => [name, String(value)] as const);
  const question = `select current_user as role, current_database() as database, oid::text as id,
      coalesce((select setconfig from pg_db_role_setting where setdatabase = oid and setrole = current_user::regrole), '{}') as settings,
      (select json_object_agg(name, setting) from pg_settings where name = any($1)) as active
    from pg_database where datname = current_database()`;
  const names = wanted.map(([name]) => name);
  const pooled = await over(
    serviceUrl,
    async (client) => (await client.query(question, [names])).rows[0],
  );
  await over(directUrl, async (client) => {
    const [direct] = (await client.query(question, [names])).rows;
    for (const part of ['role', 'database', 'id'] as const) {
      if (direct[part] === pooled[part]) continue;
      throw new ConfigError(
        `DATABASE_DIRECT_URL and DATABASE_URL must have the same role in the same database: they lead to ${direct.role} in ${direct.database}, and to ${pooled.role} in ${pooled.database}`,
      );
    }
    const place = `role ${client.escapeIdentifier(direct.role)} in database ${client.escapeIdentifier(direct.database)}`;
    for (const [name, value] of wanted) {
      if (direct.settings.includes(`${name}=${value}`)) continue;
      await client.query(`alter ${place} set ${name} = ${value}`);
    }
  });
  if (wanted.every(([name, value]) => pooled.active[name] === value)) return;
  report(
    'The pooler has connections with other time limits: its command RECONNECT replaces them, or they end by themselves',
  );
}

async function over<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'tollgate start',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
