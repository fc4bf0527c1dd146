import { createHash } from 'node:crypto';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Sum, Table } from './content.ts';

/** The tables of the schema, without those that each start fills itself. */
const tablesWithRows = `select c.relname as name, exists (select from pg_inherits i where i.inhrelid = c.oid) as attached,
    -- Computed columns are computed again.
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' order by a.attnum) as columns
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and c.relname not in ('mikro_orm_migrations', 'sql_function')
  order by c.relname`;

export interface FoundTable extends Table {
  /** Whether it is a part of another table. */
  readonly attached: boolean;
}

/** The tables whose rows a backup has. */
export async function tablesOf(client: pg.Client): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable>(tablesWithRows);
  return rows;
}

const month = /^usage_event_\d{4}_\d{2}$/;

/** The months of usage events that have a table of their own. */
export const monthsOf = (tables: readonly FoundTable[], attached: boolean) =>
  tables
    .filter((table) => month.test(table.name) && table.attached === attached)
    .map(({ name }) => name);

/** A table with its columns, as COPY names it. */
export const copied = (client: pg.Client, { name, columns }: Table) =>
  `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`;

/** Reads the rows of a table, passes the text on, and returns their number and checksum. */
export async function readRows(
  client: pg.Client,
  table: Table,
  take: (text: Buffer) => Promise<void> | void,
): Promise<Sum> {
  const hash = createHash('sha256');
  const stream = client.query(copyTo(`copy ${copied(client, table)} to stdout`));
  for await (const text of stream as AsyncIterable<Buffer>) {
    hash.update(text);
    await take(text);
  }
  return { table: table.name, rows: stream.rowCount, sha256: hash.digest('hex') };
}
