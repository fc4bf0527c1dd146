import type pg from 'pg';
import type { Config } from '#config';
import { pendingMigrations, unknownMigrations } from '#server/database/migrations.ts';
import { isPooled } from '#server/database/pooler.ts';
import {
  embeddedPurpose,
  oldestServer,
  type ServerAnswer,
  serverVersionColumns,
  serverVersionOf,
  testedMajors,
} from '#server/database/server-version.ts';
import { error, type Finding, ok, warning } from './finding.ts';

interface State extends ServerAnswer {
  readonly readOnly: boolean;
  readonly superuser: boolean;
  readonly encoding: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly autovacuum: string;
  readonly checksums: string;
  readonly logsValues: boolean;
  readonly maxConnections: number;
  readonly age: number;
  readonly clock: Date;
  readonly oldest: number | null;
  readonly invalid: string[];
}

const question = `select ${serverVersionColumns},
    pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly",
    (select rolsuper from pg_roles where rolname = current_user) as superuser,
    pg_encoding_to_char((select encoding from pg_database where datname = current_database())) as encoding,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
    current_setting('synchronous_commit') as "synchronousCommit", current_setting('autovacuum') as autovacuum,
    current_setting('data_checksums') as checksums,
    current_setting('log_min_error_statement') not in ('panic', 'fatal') as "logsValues",
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections",
    (select max(age(datfrozenxid))::float8 from pg_database) as age, clock_timestamp() as clock,
    (select extract(epoch from clock_timestamp() - min(xact_start))::float8 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend') as oldest,
    array(select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace = current_schema()::regnamespace) as invalid`;

const manyTransactions = 1_500_000_000;
const longMinutes = 10;

/** Connections of a process besides those of its pools: for listening, for its checks, and for a start. */
const furtherConnections = 3;

/** Checks the server and the schema. `client` leads to the service's role, without a pooler. */
export async function checkDatabase(client: pg.Client, config: Config): Promise<Finding[]> {
  const asked = performance.now();
  const { rows } = await client.query<State>(question);
  const [state] = rows;
  if (!state) throw new Error('The database has not answered');
  const server = serverVersionOf(state);
  const findings: Finding[] = [ok(`PostgreSQL ${server.version} (${server.build})`)];
  const when = (isWrong: boolean, finding: Finding) => void (isWrong && findings.push(finding));
  when(
    state.serverNumber < oldestServer,
    error(
      `PostgreSQL ${server.version} is too old`,
      `use PostgreSQL ${testedMajors.oldest} or newer`,
    ),
  );
  when(
    server.newer !== undefined,
    warning(
      `PostgreSQL ${server.newer} is out, and this server lacks its fixes`,
      server.build === 'embedded'
        ? 'install a newer PostgreSQL of the same major version on this machine (guide "Operating")'
        : 'install the newest minor release, and restart the server',
    ),
  );
  when(
    server.build === 'embedded' && config.production,
    warning(embeddedPurpose, 'use the PostgreSQL of this machine, or a server in DATABASE_URL'),
  );
  when(
    state.readOnly,
    error('The server is read-only, as a standby is', 'use the address of the leader'),
  );
  when(
    state.superuser,
    warning(
      'The role of the service is a superuser',
      'use a role without rights to change tables (guide "Database")',
    ),
  );
  when(
    state.encoding !== 'UTF8',
    error(`The encoding is ${state.encoding}`, 'create the database with the encoding UTF8'),
  );
  for (const [name, value] of [
    ['fsync', state.fsync],
    ['full_page_writes', state.fullPageWrites],
    ['synchronous_commit', state.synchronousCommit],
  ] as const) {
    when(
      value === 'off',
      error(
        `${name} is off: a crash loses what was acknowledged`,
        `set ${name} = on on the server`,
      ),
    );
  }
  when(
    state.autovacuum === 'off',
    error('autovacuum is off: tables grow without end', 'set autovacuum = on on the server'),
  );
  when(
    state.checksums === 'off',
    warning(
      'The server has no checksums of its data, so a broken disk stays unnoticed',
      'run pg_checksums --enable on the stopped server',
    ),
  );
  when(
    state.logsValues,
    warning(
      'The log of the server may contain values of failed statements, such as names',
      'alter role … set log_min_error_statement = panic (guide "Database")',
    ),
  );
  when(
    state.age > manyTransactions,
    error(
      'The numbers of transactions are nearly used up',
      'run vacuum freeze, and find out what keeps autovacuum from it',
    ),
  );
  when(
    (state.oldest ?? 0) > longMinutes * 60,
    warning(
      `A transaction has been open for ${Math.round((state.oldest ?? 0) / 60)} minutes, which delays the feed and the cleaning of tables`,
      'find it in pg_stat_activity, and end it',
    ),
  );
  when(
    state.invalid.length > 0,
    error(
      `These indexes are not valid: ${state.invalid.join(', ')}`,
      'run reindex index concurrently for each',
    ),
  );
  findings.push(
    clock(state.clock, asked),
    connections(state, config),
    ...(await pooler(client, config)),
    ...(await migrations(client)),
  );
  return findings;
}

/** The answer was made between the question and now, so the middle is compared. */
function clock(theirs: Date, asked: number): Finding {
  const halfway = (performance.now() - asked) / 2;
  const seconds = Math.abs(Date.now() - halfway - theirs.getTime()) / 1_000;
  const found = `The clocks of the database and of this machine are ${seconds.toFixed(1)} s apart`;
  return seconds > 1 ? warning(found, 'synchronize both by NTP') : ok(found);
}

function connections({ maxConnections }: State, config: Config): Finding {
  const own = config.databasePoolSize + config.cronPoolSize + furtherConnections;
  const found = `A process uses up to ${own} connections, and the server allows ${maxConnections}`;
  if (config.databaseDirectUrl !== undefined || own <= maxConnections) return ok(found);
  return error(
    found,
    'raise max_connections, lower DATABASE_POOL_SIZE, or use a pooler (guide "Database")',
  );
}

async function pooler(client: pg.Client, { databaseDirectUrl }: Config): Promise<Finding[]> {
  if (!(await isPooled(client))) return [];
  const address = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  return [
    error(
      `${address} leads through a pooler of connections`,
      'set DATABASE_DIRECT_URL to the same database at the server itself',
    ),
  ];
}

async function migrations(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query(
    `select to_regclass('mikro_orm_migrations') is not null as there`,
  );
  if (!rows[0].there)
    return [warning('The database is empty', 'start the service, which applies the migrations')];
  const found = await client.query<{ name: string }>('select name from mikro_orm_migrations');
  const applied = found.rows.map(({ name }) => name);
  const [newer] = unknownMigrations(applied);
  if (newer) {
    return [
      error(
        `A newer version has migrated the database: ${newer}`,
        'start that version or a later one',
      ),
    ];
  }
  const missing = pendingMigrations(applied).length;
  return [
    missing > 0
      ? warning(`${missing} migrations are missing`, 'start the service, which applies them')
      : ok(`All ${applied.length} migrations are applied`),
  ];
}
