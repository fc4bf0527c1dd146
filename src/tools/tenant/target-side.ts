import { type CellClient, moveName } from './cell-database.ts';
import { copiedTables, tenantTables } from './tenant-tables.ts';

/** Subscribes to the rows of an organization: they are copied, and changes follow. */
export async function subscribe(client: CellClient, organizationId: string, sourceUrl: string) {
  const name = await moveName(client, organizationId);
  await client.query(
    `create subscription ${name} connection ${client.escapeLiteral(sourceUrl)} publication ${name}
       with (create_slot = false, slot_name = '${name}', copy_data = true, disable_on_error = true, binary = false)`,
  );
}

export interface CopyState {
  readonly tables: number;
  readonly ready: number;
  /** The number of the subscription, which the names of its slots in the source contain. */
  readonly subscription: number;
  /** False after an error of the copy: of a row, or of the connection to the source. */
  readonly isEnabled: boolean;
}

/** How far the copy is. */
export async function copyState(client: CellClient, organizationId: string): Promise<CopyState> {
  const { rows } = await client.query<CopyState>(
    `select count(r.srrelid)::int as tables, count(r.srrelid) filter (where r.srsubstate = 'r')::int as ready,
       coalesce(max(s.oid::bigint), 0)::int as subscription, coalesce(bool_and(s.subenabled), false) as "isEnabled"
     from pg_subscription s left join pg_subscription_rel r on r.srsubid = s.oid
     where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`,
    [await moveName(client, organizationId)],
  );
  return rows[0] ?? { tables: 0, ready: 0, subscription: 0, isEnabled: false };
}

/** Lets a copy continue after an error has stopped it. The source sends again all that has not arrived. */
export async function continueCopy(client: CellClient, organizationId: string) {
  await client.query(`alter subscription ${await moveName(client, organizationId)} enable`);
}

/** Statements of the other cell are planned with what has arrived, before the server would look by itself. */
export async function analyze(client: CellClient) {
  const names = copiedTables(await tenantTables(client)).map(({ name }) =>
    client.escapeIdentifier(name),
  );
  await client.query(`analyze ${names.join(', ')}`);
}

/** Ends the subscription. Its slot belongs to the source, which may not answer now. */
export async function unsubscribe(client: CellClient, organizationId: string) {
  const name = await moveName(client, organizationId);
  const { rows } = await client.query<{ slot: string | null }>(
    `select subslotname as slot from pg_subscription
     where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())`,
    [name],
  );
  if (!rows[0]) return;
  await client.query(`alter subscription ${name} disable`);
  if (rows[0].slot) await client.query(`alter subscription ${name} set (slot_name = none)`);
  await client.query(`drop subscription ${name}`);
}

/** The last numbers of the sequences of a cell, by their names. */
export async function sequencesOf(client: CellClient): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null and not cycle and sequencename <> 'mikro_orm_migrations_id_seq'`,
  );
  return new Map(rows.map(({ name, last }) => [name, last]));
}

/** Numbers that may be drawn between the look at a sequence and its change. */
const margin = 10_000;

/** Lets new rows of the target follow those that have arrived: no sequence stays behind that of the source. */
export async function raiseSequences(client: CellClient, least: ReadonlyMap<string, string>) {
  const own = await sequencesOf(client);
  for (const [name, last] of least) {
    if (BigInt(own.get(name) ?? 0) >= BigInt(last)) continue;
    await client.query('select setval(quote_ident($1)::regclass, $2::bigint)', [
      name,
      String(BigInt(last) + BigInt(margin)),
    ]);
  }
}

/** Deletes all rows of an organization. The database's checks and counters see nothing of it. */
export async function deleteRows(client: CellClient, organizationId: string): Promise<number> {
  let deleted = 0;
  for (const { name, column } of await tenantTables(client)) {
    await client.query('begin');
    try {
      await client.query('set local session_replication_role = replica');
      const { rowCount } = await client.query(
        `delete from ${client.escapeIdentifier(name)} where ${client.escapeIdentifier(column)} = $1`,
        [organizationId],
      );
      await client.query('commit');
      deleted += rowCount ?? 0;
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }
  return deleted;
}
