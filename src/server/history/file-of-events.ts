import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { DuckDBConnection } from '@duckdb/node-api';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { columns, typeOf } from '#domain/metering/history/columns.ts';
import { sqlText } from '#domain/metering/history/sql-text.ts';

/** So many rows have statistics of their own, by which reads pass over them. */
const rowsInGroup = 30_720;
const fastest = 1;

/** The events of one organization and mode in the table of a month. */
export interface EventGroup {
  readonly organizationId: string;
  readonly livemode: boolean;
  /** The number of events of each pricing model. */
  readonly eventsOf: Readonly<Record<string, number>>;
}

/** The condition for the rows of a group: the index of the table begins with the pricing model. */
export const groupCondition = (client: pg.ClientBase, { eventsOf }: EventGroup) =>
  `pricing_model_id in (${Object.keys(eventsOf)
    .map((id) => client.escapeLiteral(id))
    .join(', ')})`;

const exported = columns
  .map(({ name, kind }) => {
    if (kind === 'instant') return `(extract(epoch from ${name}) * 1000)::bigint`;
    return kind === 'whole' ? name : `${name}::text as ${name}`;
  })
  .join(', ');
const quoted = columns
  .filter(({ kind }) => kind === 'text' || kind === 'json')
  .map(({ name }) => name)
  .join(', ');

/** Copies the events of a group into a compressed text. The database formats it, and this process only passes it on. */
export async function exportGroup(
  client: pg.ClientBase,
  table: string,
  group: EventGroup,
  folder: string,
): Promise<string> {
  const file = path.join(folder, 'events.csv.gz');
  const stream = client.query(
    copyTo(
      `copy (select ${exported} from ${client.escapeIdentifier(table)} where ${groupCondition(client, group)})
       to stdout (format csv, force_quote (${quoted}))`,
    ),
  );
  await pipeline(stream, createGzip({ level: fastest }), createWriteStream(file, { mode: 0o600 }));
  return file;
}

const readType = (column: (typeof columns)[number]) =>
  column.kind === 'instant' ? 'BIGINT' : typeOf(column);

const csvColumns = columns
  .map((column) => `${sqlText(column.name)}: ${sqlText(readType(column))}`)
  .join(', ');

const written = columns
  .map(({ name, kind }) =>
    kind === 'instant' ? `epoch_ms(${name})::timestamp_ms as ${name}` : name,
  )
  .join(', ');

/**
 * Writes the file of exported events. Within a day they are ordered by subscription and meter: pages of a list read few
 * groups of rows, and so do those of one subscription.
 */
export async function writeParquet(connection: DuckDBConnection, csv: string, file: string) {
  await connection.run(
    `copy (
       select ${written}, amount::decimal(38, 9) as amount_value
       from read_csv(${sqlText(csv)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
         nullstr = '', allow_quoted_nulls = false, compression = 'gzip', columns = {${csvColumns}})
       order by epoch_ms(created_at)::date, subscription_id, usage_meter_id, created_at, position, id
     ) to ${sqlText(file)} (format parquet, compression zstd, row_group_size ${rowsInGroup})`,
  );
}
