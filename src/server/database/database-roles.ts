import { createHmac } from 'node:crypto';
import pg from 'pg';
import type { Config } from '#config';
import { placeOf } from './start-connection.ts';

/** The addresses of a process's database: for the role of the service, and for the owner of the tables. */
export interface DatabaseUrls {
  /** For reading and writing rows. A pooler of connections may be in between. */
  readonly serviceUrl: string;
  /** For what one connection to the server keeps: listening. Without a pooler it is `serviceUrl`. */
  readonly directUrl: string;
  /** For applying migrations. */
  readonly ownerUrl: string;
}

/** An arbitrary number; only the creation of the embedded server's roles uses it. */
const rolesLock = 7_011_447_002;
const owner = 'tollgate_owner';
const service = 'tollgate';

/** The addresses of DATABASE_URL, DATABASE_DIRECT_URL and DATABASE_OWNER_URL, which are equal without the latter two. */
export const configuredUrls = (
  databaseUrl: string,
  {
    databaseDirectUrl: directUrl = databaseUrl,
    databaseOwnerUrl: ownerUrl = directUrl,
  }: Partial<Pick<Config, 'databaseDirectUrl' | 'databaseOwnerUrl'>>,
): DatabaseUrls => ({ serviceUrl: databaseUrl, directUrl, ownerUrl });

/** The setting that leads to the database, and where to, for messages. */
export function placeOfDatabase(config: Config, ownerUrl: string): string {
  if (!config.databaseUrl) return `DATA_DIR ${config.dataDir}`;
  const { databaseOwnerUrl, databaseDirectUrl } = config;
  const direct = databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  return `${databaseOwnerUrl ? 'DATABASE_OWNER_URL' : direct} ${placeOf(ownerUrl)}`;
}

/**
 * The addresses of the embedded server, from its administrator's address. Neither role is a superuser. Creates
 * missing roles, and gives them the objects that an earlier version created as the administrator.
 */
export async function embeddedUrls(administratorUrl: string): Promise<DatabaseUrls> {
  const serviceUrl = urlFor(administratorUrl, service);
  const ownerUrl = urlFor(administratorUrl, owner);
  const client = new pg.Client({ connectionString: administratorUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [rolesLock]);
    for (const url of [ownerUrl, serviceUrl]) await ensureRole(client, new URL(url));
    await client.query(handOver);
  } finally {
    await client.end();
  }
  return { serviceUrl, directUrl: serviceUrl, ownerUrl };
}

/** Each role's password is derived from the administrator's, and does not reveal it. */
function urlFor(administratorUrl: string, role: string): string {
  const url = new URL(administratorUrl);
  const password = createHmac('sha256', decodeURIComponent(url.password)).update(role);
  url.username = role;
  url.password = password.digest('hex');
  return url.href;
}

async function ensureRole(client: pg.Client, { username, password }: URL) {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [username]);
  const rights = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  const verb = rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${client.escapeIdentifier(username)} ${rights} password ${client.escapeLiteral(password)}`,
  );
}

/**
 * The owner of objects that belong to an extension, or to another object, follows from that
 * object.
 */
const handOver = `do $$
declare
  object record;
begin
  execute format('alter database %I owner to ${owner}', current_database());
  for object in
    select format('table %s', c.oid::regclass) as name from pg_class c
    where c.relnamespace in ('public'::regnamespace, to_regnamespace('public_rehearsal')) and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and c.relowner <> '${owner}'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i')))
    union all
    select format('schema %I', nspname) from pg_namespace
    where nspname = 'public_rehearsal' and nspowner <> '${owner}'::regrole
    union all
    select format('routine %s', p.oid::regprocedure) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proowner <> '${owner}'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter %s owner to ${owner}', object.name);
  end loop;
end $$`;

/**
 * Grants the service's role access to the rows of the owner's tables, also of later ones, but no right to change
 * tables. Call it as the owner.
 */
export async function grantService(
  client: pg.Client,
  { serviceUrl, ownerUrl }: Pick<DatabaseUrls, 'serviceUrl' | 'ownerUrl'>,
) {
  const role = decodeURIComponent(new URL(serviceUrl).username);
  if (role === decodeURIComponent(new URL(ownerUrl).username)) return;
  const to = client.escapeIdentifier(role);
  const rows = 'select, insert, update, delete on tables';
  const { rows: found } = await client.query(
    `select quote_ident(current_schema()) as schema, quote_ident(current_schema() || '_rehearsal') as rehearsals`,
  );
  const { schema, rehearsals } = found[0];
  for (const grant of [
    `grant usage on schema ${schema} to ${to}`,
    `grant ${rows.replace('tables', `all tables in schema ${schema}`)} to ${to}`,
    `grant usage on schema ${rehearsals} to ${to}`,
    `grant ${rows.replace('tables', `all tables in schema ${rehearsals}`)} to ${to}`,
    `alter default privileges in schema ${rehearsals} grant ${rows} to ${to}`,
    `grant usage, select on all sequences in schema ${schema} to ${to}`,
    `alter default privileges in schema ${schema} grant ${rows} to ${to}`,
    `alter default privileges in schema ${schema} grant usage, select on sequences to ${to}`,
    `grant execute on function add_usage_event_month(date), detach_usage_event_month(text),
       watch_usage_event_month(text), drop_usage_event_month(text, bigint) to ${to}`,
    `revoke insert, update, delete on mikro_orm_migrations, sql_function from ${to}`,
  ]) {
    await client.query(grant);
  }
}
