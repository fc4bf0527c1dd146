import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '#config';
import { runningTime } from '#engines/process/running-time.ts';
import { oldestServer, testedMajors } from './server-version.ts';

/** An arbitrary number that every process of this service shares. */
const startLock = 7_011_447_001;
const longestConnectMilliseconds = 10_000;
const longestPauseMilliseconds = 2_000;

/** The reports of a start while it waits. */
export type Report = (message: string) => void;

export interface StartOptions {
  /** How long to wait for a server that is starting, or that is not writable yet; not at all when absent. */
  readonly waitSeconds?: number;
  /** The setting that leads to the database, and where to, for messages: DATABASE_URL when absent. */
  readonly place?: string;
  /** Ends every wait. */
  readonly stop?: AbortSignal | undefined;
  readonly report?: Report;
}

/**
 * Opens the first connection of a start, which reveals a wrong DATABASE_URL. Waits for a server that is not up yet.
 * Errors: ConfigError with the reason; the reason of `stop`.
 */
export async function openStartConnection(
  databaseUrl: string,
  {
    waitSeconds = 0,
    stop,
    report = () => {},
    place = `DATABASE_URL ${placeOf(databaseUrl)}`,
  }: StartOptions,
): Promise<pg.Client> {
  const deadline = runningTime() + waitSeconds * 1_000;
  for (let pause = 100; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    stop?.throwIfAborted();
    const found = await open(databaseUrl);
    if (found instanceof pg.Client) return found;
    const { problem, passing } = found;
    if (!passing || runningTime() + pause > deadline) {
      const waited = passing && waitSeconds > 0 ? ` (waited for ${waitSeconds} s)` : '';
      throw new ConfigError(`${place} cannot be used: ${problem}${waited}`);
    }
    if (pause === 100)
      report(`Waiting up to ${waitSeconds} s for the database of ${place}: ${problem}`);
    // Only `stop` ends the pause early.
    await sleep(pause, undefined, stop && { signal: stop }).catch(() => stop?.throwIfAborted());
  }
}

interface Unusable {
  readonly problem: string;
  /** Whether it may pass without a change of settings. */
  readonly passing: boolean;
}

async function open(databaseUrl: string): Promise<pg.Client | Unusable> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'tollgate start',
    connectionTimeoutMillis: longestConnectMilliseconds,
    keepAlive: true,
  });
  // The next statement reports a lost connection.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
         pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`,
    );
    const [{ version, name, readOnly }] = rows;
    if (version >= oldestServer && !readOnly) return client;
    await client.end();
    return readOnly
      ? { problem: 'the server is read-only, as a standby is', passing: true }
      : {
          problem: `PostgreSQL ${name} is too old, ${testedMajors.oldest} or newer is needed`,
          passing: false,
        };
  } catch (error) {
    // The reason is returned below; a connection that does not close either adds nothing.
    void client.end().catch(() => {});
    return { problem: reason(error), passing: mayPass(error) };
  }
}

/** Waits for other processes that start on this database, and locks the start. Errors: the reason of `stop`. */
export async function takeStartLock(client: pg.Client, { stop, report = () => {} }: StartOptions) {
  const lock = await client.query('select pg_try_advisory_lock($1) as taken', [startLock]);
  if (lock.rows[0].taken) return;
  report('Waiting for another process that is starting on this database');
  const giveUp = () => void client.end();
  stop?.throwIfAborted();
  stop?.addEventListener('abort', giveUp);
  try {
    await client.query('select pg_advisory_lock($1)', [startLock]);
  } catch (error) {
    stop?.throwIfAborted();
    throw error;
  } finally {
    stop?.removeEventListener('abort', giveUp);
  }
}

/** Checks the rights of the role. Errors: ConfigError that names the missing right or extension of migrations. */
export async function checkRights(client: pg.Client, place: string) {
  const { rows } = await client.query(
    `select current_user as role, current_database() as database, coalesce(current_schema(), 'public') as schema,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates,
       exists (select from pg_extension where extname = 'btree_gist') as installed,
       exists (select from pg_available_extensions where name = 'btree_gist') as available,
       has_database_privilege(current_database(), 'create') as extends,
       coalesce(current_schema(), 'public') || '_rehearsal' as rehearsals,
       has_schema_privilege(to_regnamespace(quote_ident(coalesce(current_schema(), 'public') || '_rehearsal')), 'create') as rehearses`,
  );
  const [{ role, database, schema, creates, installed, available, extends: extending }] = rows;
  const [{ rehearsals, rehearses }] = rows;
  const needed = !creates
    ? `the role ${role} may not create tables; run as the owner of the database: grant create, usage on schema ${schema} to "${role}"`
    : installed
      ? rehearses || (extending && rehearses === null)
        ? undefined
        : `the role ${role} has no schema for rehearsals of billing; run as a superuser: create schema if not exists "${rehearsals}"; grant create, usage on schema "${rehearsals}" to "${role}", or grant create on database "${database}" to "${role}"`
      : !available
        ? 'the extension btree_gist is not on the server; install the package postgresql-contrib there'
        : extending
          ? undefined
          : `the role ${role} may not install the extension btree_gist; run as a superuser: create extension btree_gist, or grant create on database "${database}" to "${role}"`;
  if (needed) {
    throw new ConfigError(`${place} cannot be used: ${needed}`);
  }
}

/** An address for display: without its password. */
export function placeOf(databaseUrl: string) {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** The message of an error. A name with several addresses fails with one error for each, and none for all. */
function reason(error: unknown): string {
  const { errors, message } = error as AggregateError;
  return errors?.map(reason).join(', ') ?? message;
}

const passingCodes =
  /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT|57P0[123]|53300|08)/;

function mayPass(error: unknown): boolean {
  const { errors, code, message } = error as AggregateError & { code?: string };
  if (errors) return errors.some(mayPass);
  return passingCodes.test(code ?? '') || /^(timeout|Connection terminated)/.test(message);
}
