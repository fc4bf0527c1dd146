import type { DuckDBInstance } from '@duckdb/node-api';
import { DomainError } from '#domain/kernel/errors.ts';
import { sqlText } from './sql-text.ts';

/** The memory of all reads of a process together. */
const memory = '192MB';
const threads = '2';
/** Each read occupies a thread of Node's pool, which also serves files and passwords. */
const mostAtOnce = 2;
const mostWaiting = 64;
const idleMilliseconds = 60_000;

interface Opened {
  readonly folder: string;
  readonly instance: Promise<DuckDBInstance>;
}

let opened: Opened | undefined;
let idle: NodeJS.Timeout | undefined;
let running = 0;
const waiting: (() => void)[] = [];

export type Row = Readonly<Record<string, unknown>>;

/** Opens a DuckDB in memory that reads and writes below a folder only. Its library is loaded by the first caller. */
export async function openDuckDb(
  folder: string,
  options: Readonly<Record<string, string>>,
): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...options,
  });
  const connection = await instance.connect();
  try {
    // The files are never written again.
    await connection.run('set parquet_metadata_cache = true');
    await connection.run(`set allowed_directories = [${sqlText(folder)}]`);
    await connection.run('set enable_external_access = false');
    await connection.run('set lock_configuration = true');
  } finally {
    connection.closeSync();
  }
  return instance;
}

/**
 * Runs a statement of DuckDB on its own threads. Errors: SERVICE_UNAVAILABLE for too many reads at a time, and for one
 * that takes too long; those of DuckDB.
 */
export async function readDuckDb<R extends Row>(
  folder: string,
  sql: string,
  limitSeconds: number,
): Promise<R[]> {
  await turn();
  try {
    clearTimeout(idle);
    if (opened?.folder !== folder) {
      close();
      const options = { threads, memory_limit: memory };
      opened = { folder, instance: openDuckDb(folder, options) };
    }
    return await read<R>(await (opened as Opened).instance, sql, limitSeconds);
  } finally {
    running -= 1;
    waiting.shift()?.();
    // The memory is of use to others.
    if (running === 0) idle = setTimeout(close, idleMilliseconds).unref();
  }
}

async function turn() {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many reads of old usage; try again', {
        retryAfter: 1,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
}

async function read<R extends Row>(instance: DuckDBInstance, sql: string, limitSeconds: number) {
  const connection = await instance.connect();
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    connection.interrupt();
  }, limitSeconds * 1_000);
  try {
    const result = await connection.runAndReadAll(sql);
    return result.getRowObjectsJS() as unknown as R[];
  } catch (error) {
    if (!isLate) throw error;
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      `The read of old usage took longer than ${limitSeconds} s; name a subscription or a shorter time`,
      { cause: error },
    );
  } finally {
    clearTimeout(limit);
    connection.closeSync();
  }
}

function close() {
  const { instance } = opened ?? {};
  opened = undefined;
  instance?.then(
    (instance) => instance.closeSync(),
    () => {},
  );
}
