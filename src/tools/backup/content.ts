import { z } from 'zod';

const Table = z.object({
  name: z.string().regex(/^[a-z_][a-z0-9_]*$/),
  columns: z.array(z.string()),
});

/** The beginning of a backup: its version, and the tables that follow. */
export const About = z.object({
  format: z.literal(1),
  /** The version of the service. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** The applied migrations, in their order. */
  migrations: z.array(z.string()),
  tables: z.array(Table),
  /** The tables of months of usage events that are attached to the table of all. */
  attachedMonths: z.array(z.string()),
  /** Those that were detached to keep the table small. */
  detachedMonths: z.array(z.string()),
});
export type About = z.output<typeof About>;
export type Table = z.output<typeof Table>;

const Sum = z.object({
  table: z.string(),
  rows: z.int().min(0),
  /** The SHA-256 of the rows as PostgreSQL writes them, in hexadecimal. */
  sha256: z.string(),
});

/** The end of a backup. A file without it is not complete. */
export const Closing = z.object({
  tables: z.array(Sum),
  /** The last number of each sequence. */
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
});
export type Closing = z.output<typeof Closing>;
export type Sum = z.output<typeof Sum>;

/** The names of the entries of the archive. */
export const entryNames = {
  about: 'about.json',
  closing: 'closing.json',
  /** Rows of a table in parts, in their order. */
  part: (table: string, place: number) => `tables/${table}/${String(place).padStart(6, '0')}`,
} as const;

const part = /^tables\/([a-z_][a-z0-9_]*)\/\d+$/;

/** The table of an entry; undefined for another entry. */
export const tableOf = (entryName: string) => part.exec(entryName)?.[1];
