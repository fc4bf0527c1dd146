import type { CellClient } from './cell-database.ts';
import { stateOf } from './move-state.ts';
import { tenantTables } from './tenant-tables.ts';

interface Server {
  readonly version: number;
  readonly walLevel: string;
  readonly isStandby: boolean;
  readonly place: string;
  readonly freeSlots: number;
  readonly freeSenders: number;
  readonly replicates: boolean;
  readonly creates: boolean;
  readonly subscribes: boolean;
  readonly switchesTriggersOff: boolean;
  readonly owns: boolean;
  readonly role: string;
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
  readonly secrets: readonly string[];
}

const facts = `select current_setting('server_version_num')::int as version, current_setting('wal_level') as "walLevel",
    pg_is_in_recovery() as "isStandby", current_user::text as role,
    concat_ws(' ', (select system_identifier from pg_control_system()), current_database()) as place,
    current_setting('max_replication_slots')::int - (select count(*)::int from pg_replication_slots) as "freeSlots",
    current_setting('max_wal_senders')::int - (select count(*)::int from pg_stat_replication) as "freeSenders",
    (select rolreplication or rolsuper from pg_roles where rolname = current_user) as replicates,
    has_database_privilege(current_database(), 'create') as creates,
    exists (select from pg_roles r where r.rolname = current_user and (r.rolsuper
      or exists (select from pg_roles s where s.rolname = 'pg_create_subscription' and pg_has_role(s.oid, 'usage')))) as subscribes,
    has_parameter_privilege('session_replication_role', 'set') as "switchesTriggersOff",
    not exists (select from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not pg_has_role(c.relowner, 'usage')) as owns,
    array(select name from mikro_orm_migrations order by name) as migrations,
    array(select name || ' ' || digest from sql_function order by name) as functions,
    array(select id::text from secrets_key order by id) as secrets`;

/** The first version whose publications have conditions for rows. */
const minimum = 15;

/**
 * Checks what a move needs, and changes nothing. Returns what has to be done first, a line for each; none when the
 * organization can move.
 */
export async function checkMove(
  source: CellClient,
  target: CellClient,
  organizationId: string,
): Promise<string[]> {
  const [here, there] = await Promise.all([source, target].map(factsOf));
  if (!here || !there) return ['A database does not answer'];
  const problems: string[] = [];
  const demand = (isMet: boolean, problem: string) => void (isMet || problems.push(problem));
  demand(
    here.place !== there.place,
    '--to is the database of this cell itself: name that of another cell',
  );
  for (const [server, which] of [
    [here, 'this cell'],
    [there, 'the other cell'],
  ] as const) {
    demand(
      server.version >= minimum * 10_000,
      `The server of ${which} must be PostgreSQL ${minimum} or later`,
    );
    demand(!server.isStandby, `The address of ${which} leads to a standby: name the primary`);
    demand(
      server.owns,
      `The role ${server.role} does not own the tables of ${which}: use the role that applies migrations, or a superuser`,
    );
  }
  demand(
    here.walLevel === 'logical',
    `wal_level of this cell is ${here.walLevel}: set wal_level = logical and restart the server; with TOLLGATE_CELL the embedded one has it`,
  );
  demand(
    here.freeSlots >= 4,
    `This cell has ${here.freeSlots} free replication slots, and a move needs 4: raise max_replication_slots`,
  );
  demand(
    here.freeSenders >= 4,
    `This cell has ${here.freeSenders} free WAL senders, and a move needs 4: raise max_wal_senders`,
  );
  demand(
    here.replicates,
    `The role ${here.role} may not replicate: alter role "${here.role}" replication`,
  );
  demand(
    here.creates,
    `The role ${here.role} may not publish: grant create on database to "${here.role}"`,
  );
  demand(
    there.subscribes,
    `The role ${there.role} of the other cell may not subscribe: grant pg_create_subscription to "${there.role}"`,
  );
  demand(
    there.creates,
    `The role ${there.role} of the other cell may not create a subscription: grant create on database to "${there.role}"`,
  );
  demand(
    there.switchesTriggersOff,
    `The role ${there.role} of the other cell may not switch triggers off: grant set on parameter session_replication_role to "${there.role}"`,
  );
  demand(
    here.migrations.join() === there.migrations.join(),
    `The cells have different migrations, up to ${here.migrations.at(-1)} here and ${there.migrations.at(-1)} there: bring both to one version`,
  );
  demand(
    here.functions.join() === there.functions.join(),
    'The cells have different SQL functions: bring both to one version',
  );
  if (problems.length > 0) return problems;
  problems.push(...(await checkTables(source, target)));
  problems.push(...(await checkRows(source, target, organizationId)));
  problems.push(...(await checkSecrets(source, there, organizationId)));
  problems.push(...(await checkStream(source, target, organizationId)));
  return problems;
}

async function factsOf(client: CellClient) {
  const { rows } = await client.query<Server>(facts);
  return rows[0];
}

async function checkTables(source: CellClient, target: CellClient): Promise<string[]> {
  const [here, there] = await Promise.all([source, target].map(tenantTables));
  const other = new Map(there?.map(({ name, columns }) => [name, columns.join()]));
  return (here ?? []).flatMap(({ name, columns }) => {
    if (other.get(name) === columns.join()) return [];
    // Detached months are made by the move.
    if (/^usage_event_\d{4}_\d{2}$/.test(name) && !other.has(name)) return [];
    return [`The table ${name} differs between the cells: bring both to one version`];
  });
}

async function checkRows(source: CellClient, target: CellClient, organizationId: string) {
  const problems: string[] = [];
  const { rows } = await source.query('select from organization where id = $1', [organizationId]);
  if (rows.length === 0) problems.push(`There is no organization ${organizationId} in this cell`);
  const state = await stateOf(target, organizationId);
  const { rows: there } = await target.query('select from organization where id = $1', [
    organizationId,
  ]);
  if (there.length > 0 && state !== 'arriving') {
    problems.push(`The other cell has an organization ${organizationId} already`);
  }
  const { rows: own } = await source.query<{ email: string }>(
    'select email from operator where organization_id = $1',
    [organizationId],
  );
  const { rows: taken } = await target.query<{ email: string }>(
    'select email from operator where email = any($1) and organization_id <> $2 order by 1',
    [own.map(({ email }) => email), organizationId],
  );
  if (taken.length > 0) {
    problems.push(
      `Operators with these e-mails exist in the other cell, and an e-mail belongs to one operator: ${taken.map(({ email }) => email).join(', ')}`,
    );
  }
  return problems;
}

/** Usage of the organization may be accepted by a stream: the other cell needs streams, too. */
async function checkStream(source: CellClient, target: CellClient, organizationId: string) {
  const { rows: own } = await source.query(
    'select from usage_stream_model where organization_id = $1 limit 1',
    [organizationId],
  );
  const { rows: there } = await target.query('select from usage_stream_cursor limit 1');
  if (own.length === 0 || there.length > 0) return [];
  return [
    'Usage of the organization is accepted by NATS, and the other cell does not use it: set NATS_URLS there',
  ];
}

/** The columns with secrets, as `resealSecrets` knows them. */
const sealed = {
  webhook: ['secret', 'previous_secret'],
  organization_settings: ['document_secret', 'tax_service_secret'],
  payment: ['action_url'],
  payment_method: ['token'],
  payment_method_setup: ['url'],
  processor_account: ['secret_key', 'webhook_secret', 'previous_webhook_secret'],
  operator: ['totp_secret', 'pending_totp_secret'],
  idempotency_key: ['answer'],
};

/** The other cell must be able to open the secrets, which move as they are. */
async function checkSecrets(source: CellClient, there: Server, organizationId: string) {
  const parts = Object.entries(sealed).flatMap(([table, columns]) =>
    columns.map(
      (column) => `select distinct substr(${column}, 8, 8) as id from ${table}
        where organization_id = $1 and ${column} like 'sealed:%'`,
    ),
  );
  const { rows } = await source.query<{ id: string }>(parts.join(' union '), [organizationId]);
  const missing = rows.map(({ id }) => id).filter((id) => !there.secrets.includes(id));
  if (missing.length === 0) return [];
  return [
    `Secrets of the organization are encrypted with the key ${missing.join(', ')}, which the other cell does not use: give both cells one SECRETS_KEY, start the other cell with it, and execute tollgate secrets reseal here`,
  ];
}
