import { columns } from '#domain/metering/history/columns.ts';

type Kind = (typeof columns)[number]['kind'];

/** A column as a text in which different values differ, for the table and for the file. Texts begin with their length. */
const texts: Record<Kind, (name: string) => { table: string; file: string }> = {
  text: (name) => ({
    table: `octet_length(${name}::text) || ':' || ${name}`,
    file: `strlen(${name}) || ':' || ${name}`,
  }),
  json: (name) => ({
    table: `octet_length(${name}::text) || ':' || ${name}::text`,
    file: `strlen(${name}) || ':' || ${name}`,
  }),
  instant: (name) => ({
    table: `(extract(epoch from ${name}) * 1000)::bigint::text`,
    file: `epoch_ms(${name})::varchar`,
  }),
  flag: (name) => ({ table: `${name}::text`, file: `${name}::varchar` }),
  whole: (name) => ({ table: `${name}::text`, file: `${name}::varchar` }),
};

const rowText = (side: 'table' | 'file') =>
  columns.map(({ name, kind }) => `coalesce(${texts[kind](name)[side]}, '-')`).join(` || '|' || `);

/**
 * The sum of the first 60 bits of the MD5 digests of whole rows, as SQL: PostgreSQL computes it of the table and DuckDB of
 * the file, each with its own code.
 */
export const tableChecksum = `coalesce(sum(('x' || substr(md5(${rowText('table')}), 1, 15))::bit(60)::bigint), 0)::text`;
export const fileChecksum = `coalesce(sum(('0x' || substr(md5(${rowText('file')}), 1, 15))::bigint), 0)::varchar`;
