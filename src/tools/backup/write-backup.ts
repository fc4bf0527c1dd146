import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import tar from 'tar-stream';
import { ConfigError } from '#config';
import { version } from '#rest/engine/version.ts';
import { type About, type Closing, entryNames, type Sum, type Table } from './content.ts';
import { openLongConnection } from './long-connection.ts';
import { monthsOf, readRows, tablesOf } from './tables.ts';

/** The size of a part; a whole table need not fit into memory. */
const partBytes = 4 * 1024 ** 2;

/** The numbers of a backup that was written. */
export interface Written {
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Writes all rows of a database into a new file, as of one instant. Others may write to the database meanwhile. The
 * file has its name when it is complete. Errors: ConfigError when the file exists or cannot be written.
 */
export async function writeBackup(databaseUrl: string, file: string, now: Date): Promise<Written> {
  const draft = `${file}.part`;
  const client = await openLongConnection(databaseUrl, 'tollgate backup');
  try {
    await reserve(file, draft);
    await using started = new AsyncDisposableStack();
    started.defer(() => rm(draft, { force: true }));
    const pack = tar.pack();
    const output = createWriteStream(draft, { flags: 'w', mode: 0o600, flush: true });
    const written = pipeline(pack, createGzip({ level: 6 }), output);
    // The failure of one of the two ends the other, and is reported once.
    const filled = fill(client, pack, now).catch((error) => {
      pack.destroy(error);
      throw error;
    });
    const [sums] = await Promise.all([filled, written]).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall !== 'write') throw error;
      throw new ConfigError(`${file} cannot be written: ${error.message}`);
    });
    await rename(draft, file);
    await keepName(path.dirname(path.resolve(file)));
    const rows = sums.reduce((sum, table) => sum + table.rows, 0);
    return { tables: sums.length, rows, bytes: output.bytesWritten };
  } finally {
    await client.end();
  }
}

/** Errors: ConfigError. */
async function reserve(file: string, draft: string) {
  try {
    for (const name of [file, draft]) await (await open(name, 'wx', 0o600)).close();
    await rm(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new ConfigError(`${file} exists already: name a new file`);
    throw new ConfigError(`${file} cannot be written: ${message}`);
  }
}

/** A name survives a power failure when its folder is written. */
async function keepName(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function fill(client: pg.Client, pack: tar.Pack, now: Date): Promise<readonly Sum[]> {
  await client.query('begin isolation level repeatable read read only');
  const tables = await tablesOf(client);
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from mikro_orm_migrations order by name',
  );
  const about: About = {
    format: 1,
    version,
    createdAt: now.toISOString(),
    migrations: migrations.map(({ name }) => name),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    attachedMonths: monthsOf(tables, true),
    detachedMonths: monthsOf(tables, false),
  };
  await add(pack, entryNames.about, JSON.stringify(about, null, 2));
  const sums: Sum[] = [];
  for (const table of tables) sums.push(await addTable(client, pack, table));
  await client.query('commit');
  // Numbers of sequences belong to no transaction: those after the last row are at least those of each row.
  const { rows: sequences } = await client.query<Closing['sequences'][number]>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  );
  const closing: Closing = { tables: sums, sequences };
  await add(pack, entryNames.closing, JSON.stringify(closing, null, 2));
  pack.finalize();
  return sums;
}

async function addTable(client: pg.Client, pack: tar.Pack, table: Table): Promise<Sum> {
  let [place, bytes] = [0, 0];
  let texts: Buffer[] = [];
  const flush = async () => {
    if (bytes === 0) return;
    place += 1;
    const whole = Buffer.concat(texts);
    [texts, bytes] = [[], 0];
    await add(pack, entryNames.part(table.name, place), whole);
  };
  const sum = await readRows(client, table, async (text) => {
    texts.push(text);
    bytes += text.length;
    if (bytes >= partBytes) await flush();
  });
  await flush();
  return sum;
}

/** Adds an entry, and waits until the file takes it. */
const add = (pack: tar.Pack, name: string, content: string | Buffer) =>
  new Promise<void>((resolve, reject) => {
    const entry = pack.entry({ name, mode: 0o600 }, content, (error) =>
      error ? reject(error) : resolve(),
    );
    // An event without a listener would end the process.
    entry.on('error', reject);
  });
