import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type pg from 'pg';
import { openDuckDb } from '#domain/metering/history/engine.ts';
import type { HistoryFile } from '#domain/metering/history/history-file.ts';
import { sha256OfFile } from '#domain/metering/history/intact-file.ts';
import { type EventGroup, exportGroup, writeParquet } from './file-of-events.ts';
import { verifyFile } from './verify-file.ts';

/** The memory and the threads of the writer; larger sorts use files. */
const memory = '256MB';
const threads = '2';
const nameDigits = 16;

/** The steps of a month, in their order. */
export type Step = 'read' | 'written' | 'verified' | 'kept' | 'dropped';

export interface Archiving {
  /** The folder of all files. */
  readonly folder: string;
  /** Is called after each step of a file and of a month, and is waited for. */
  readonly onStep?: (step: Step) => void | Promise<void>;
}

/** A file that has been written and verified. */
export type WrittenFile = Omit<HistoryFile, 'month'> & EventGroup;

/** Unfinished files, which a crash may leave behind. */
const unfinishedFolder = (folder: string) => path.join(folder, '.writing');

/**
 * Writes and verifies the files of the events of a month, one for each organization and mode. `client` has a snapshot of
 * the table. Errors: those of the disk, and one that names a difference; no file counts then.
 */
export async function writeMonth(
  client: pg.ClientBase,
  table: string,
  archiving: Archiving,
): Promise<WrittenFile[]> {
  const { folder } = archiving;
  const unfinished = unfinishedFolder(folder);
  // The caller has the lock of all writers, so what is here belongs to none.
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const instance = await openDuckDb(folder, {
    threads,
    memory_limit: memory,
    temp_directory: path.join(unfinished, 'sorting'),
    preserve_insertion_order: 'false',
  });
  const connection = await instance.connect();
  try {
    const files: WrittenFile[] = [];
    for (const group of await groupsOf(client, table)) {
      files.push(await writeGroup(client, connection, table, group, archiving));
    }
    return files;
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function groupsOf(client: pg.ClientBase, table: string): Promise<EventGroup[]> {
  const { rows } = await client.query<EventGroup>(
    `select organization_id as "organizationId", livemode, json_object_agg(pricing_model_id, events) as "eventsOf"
     from (select organization_id, livemode, pricing_model_id, count(*) as events
       from ${client.escapeIdentifier(table)} group by 1, 2, 3) each group by 1, 2 order by 1, 2`,
  );
  return rows;
}

async function writeGroup(
  client: pg.ClientBase,
  connection: DuckDBConnection,
  table: string,
  group: EventGroup,
  { folder, onStep }: Archiving,
): Promise<WrittenFile> {
  const unfinished = unfinishedFolder(folder);
  const csv = await exportGroup(client, table, group, unfinished);
  await onStep?.('read');
  const file = path.join(unfinished, 'events.parquet');
  await writeParquet(connection, csv, file);
  await rm(csv);
  await sync(file);
  await onStep?.('written');
  const verified = await verifyFile(client, connection, file, table, group);
  const sha256 = await sha256OfFile(file);
  const { size: bytes } = await stat(file);
  await onStep?.('verified');
  const month = table.slice(-7).replace('_', '-');
  const own = path.posix.join(group.organizationId, group.livemode ? 'live' : 'test');
  // Its content is part of the name, so that no file is ever replaced by another one.
  const name = `usage-events-${month}-${sha256.slice(0, nameDigits)}.parquet`;
  await keep(folder, own, file, name);
  await onStep?.('kept');
  return { ...group, ...verified, path: path.posix.join(own, name), bytes, sha256 };
}

/** Gives a file its name. It survives a power failure when the folders above it are written, too. */
async function keep(folder: string, own: string, file: string, name: string) {
  const target = path.join(folder, own);
  await mkdir(target, { recursive: true, mode: 0o700 });
  await rename(file, path.join(target, name));
  for (const each of [target, path.dirname(target), folder]) await sync(each);
}

async function sync(file: string) {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
