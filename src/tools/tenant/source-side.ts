import { type CellClient, changeTable, moveName } from './cell-database.ts';
import { copiedTables, rowsOf, type TenantTable, tenantTables } from './tenant-tables.ts';

/**
 * Publishes the rows of an organization. While it is published, changes of its tables are logged with whole old rows:
 * a filter may use columns of the old row only then, and no index has to be kept for a move that is rare.
 */
export async function publish(client: CellClient, organizationId: string) {
  const name = await moveName(client, organizationId);
  const tables = copiedTables(await tenantTables(client));
  await logWholeRows(client, tables, true);
  const filtered = tables.map(
    (table) =>
      `table ${client.escapeIdentifier(table.name)} where (${rowsOf(client, table, organizationId)})`,
  );
  await client.query(
    `create publication ${name} for ${filtered.join(', ')}
       with (publish_via_partition_root = true)`,
  );
  await client.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name]);
}

/** The server needs moments to end a process that sends. */
const mostReleaseMilliseconds = 10_000;

/** Ends the publication, its slots, and the longer log unless another organization moves. */
export async function unpublish(client: CellClient, organizationId: string) {
  const name = await moveName(client, organizationId);
  await client.query(`drop publication if exists ${name}`);
  await dropSlots(client, name);
  const { rows } = await client.query(
    `select from pg_publication where pubname like 'tollgate\\_move\\_%'`,
  );
  if (rows.length === 0) await logWholeRows(client, await tenantTables(client), false);
}

async function logWholeRows(client: CellClient, tables: readonly TenantTable[], whole: boolean) {
  const names = tables.flatMap(({ name, parts }) => [...parts, name]);
  const { rows } = await client.query<{ name: string }>(
    `select distinct quote_ident(c.relname) as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relname = any($1) and (c.relreplident = 'f') <> $2`,
    [names, whole],
  );
  for (const { name } of rows) {
    await changeTable(client, `alter table ${name} replica identity ${whole ? 'full' : 'default'}`);
  }
}

/** A slot that is left behind would keep the log of this server for ever. */
async function dropSlots(client: CellClient, name: string) {
  await client.query(
    `select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1 and active`,
    [name],
  );
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(
        `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1`,
        [name],
      );
      return;
    } catch (error) {
      // The server needs a moment to end the process that used it.
      if ((error as { code?: string }).code !== '55006' || attempt === 100) throw error;
      await client.query('select pg_sleep(0.1)');
    }
  }
}

/**
 * Ends the processes of this server that still send to a copy which has stopped: they may not have noticed the end of
 * their connection, and a slot serves one connection at a time.
 */
export async function releaseSlots(
  client: CellClient,
  organizationId: string,
  subscription: number,
) {
  const slots = `from pg_replication_slots where active
    and (slot_name = $1 or slot_name like 'pg\\_' || $2::text || '\\_sync\\_%')`;
  const names = [await moveName(client, organizationId), subscription];
  await client.query(
    `select pg_terminate_backend(active_pid, ${mostReleaseMilliseconds}) ${slots}`,
    names,
  );
}

/** The place in the log that the other cell has stored, against an own place. */
export async function hasReached(
  client: CellClient,
  organizationId: string,
  position: string,
): Promise<boolean> {
  const { rows } = await client.query<{ reached: boolean }>(
    `select confirmed_flush_lsn >= $2::pg_lsn as reached from pg_replication_slots where slot_name = $1`,
    [await moveName(client, organizationId), position],
  );
  return rows[0]?.reached ?? false;
}

/** The end of the log, which is on the disk when this returns. */
export async function endOfLog(client: CellClient, organizationId: string): Promise<string> {
  const { rows } = await client.query<{ place: string }>(
    'select pg_current_wal_insert_lsn()::text as place',
  );
  await client.query(
    'update organization_move set changed_at = clock_timestamp() where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.place ?? '0/0';
}
