import pg from 'pg';
import { ConfigError } from '#config';
import type { DatabaseUrls } from './database-roles.ts';
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
  const names = wanted.map(([name]) => name);
  // The pooler keeps the connection that answers it, so the limits have to be there before it is asked.
  const direct = await over(directUrl, async (client) => {
    const found = await roleOf(client, names);
    const place = `role ${client.escapeIdentifier(found.role)} in database ${client.escapeIdentifier(found.database)}`;
    for (const [name, value] of wanted) {
      if (found.settings.includes(`${name}=${value}`)) continue;
      await client.query(`alter ${place} set ${name} = ${value}`);
    }
    return found;
  });
  const pooled = await over(serviceUrl, (client) => roleOf(client, names));
  if (direct.role !== pooled.role || direct.id !== pooled.id) {
    throw new ConfigError(
      `DATABASE_DIRECT_URL and DATABASE_URL must have the same role in the same database: they lead to ${direct.role} in ${direct.database}, and to ${pooled.role} in ${pooled.database}`,
    );
  }
  if (wanted.every(([name, value]) => pooled.active[name] === value)) return;
  report(
    'The pooler has connections with other time limits: its command RECONNECT replaces them, or they end by themselves',
  );
}

interface RoleFound {
  readonly role: string;
  readonly database: string;
  /** The number of the database, which tells those of one server apart. */
  readonly id: string;
  /** The limits of the role in this database. */
  readonly settings: readonly string[];
  /** The limits of this connection. */
  readonly active: Readonly<Record<string, string>>;
}

/** The role of a connection, with the settings of these names. */
async function roleOf(client: pg.Client, names: readonly string[]): Promise<RoleFound> {
  const { rows } = await client.query<RoleFound>(
    `select current_user as role, datname as database, oid::text as id,
       coalesce((select setconfig from pg_db_role_setting
         where setdatabase = d.oid and setrole = current_user::regrole), '{}') as settings,
       (select json_object_agg(name, setting) from pg_settings where name = any($1)) as active
     from pg_database d where datname = current_database()`,
    [names],
  );
  const [found] = rows;
  if (!found) throw new Error('The database is not in its own catalog');
  return found;
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
