import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** Why this machine cannot have a disk that a test fills; undefined where it can. */
export async function noDiskReason(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux, and root';
  return run('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).then(
    () => undefined,
    () => 'file systems cannot be mounted here',
  );
}

/** A file system in memory that a test fills. */
export interface SmallDisk extends AsyncDisposable {
  /** Leaves no room. */
  fill(): Promise<void>;
  /** Leaves room again. */
  clear(): Promise<void>;
}

const roomyMegabytes = 4_096;
const attempts = 20;

/** Mounts it at an empty folder until the result is disposed of. */
export async function aSmallDisk(folder: string): Promise<SmallDisk> {
  const options = (size: string) => ['-t', 'tmpfs', '-o', `${size},mode=755`, 'tmpfs', folder];
  const clear = async () => {
    await run('mount', ['-o', `remount,size=${roomyMegabytes}m`, folder]);
  };
  await run('mount', options(`size=${roomyMegabytes}m`));
  return {
    async fill() {
      for (let left = attempts; ; left--) {
        const { blocks, bfree, bsize } = await statfs(folder);
        // A writer may be faster than the new limit, which must not be below what is used.
        // No size at all is no limit.
        const size = Math.max(1, blocks - bfree) * bsize;
        const result = run('mount', ['-o', `remount,size=${size}`, folder]);
        const isFull = await result.then(
          () => true,
          (error) => {
            if (left === 0) throw error;
            return false;
          },
        );
        if (isFull) return;
      }
    },
    clear,
    async [Symbol.asyncDispose]() {
      await run('umount', [folder]);
    },
  };
}

/** Puts tables of a database on a disk of their own, and back when the result is disposed of. */
export async function aDiskOfTables(
  databaseUrl: string,
  tables: readonly string[],
): Promise<SmallDisk> {
  await using opened = new AsyncDisposableStack();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  opened.defer(() => client.end());
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-disk-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const disk = opened.use(await aSmallDisk(folder));
  const { rows } = await client.query<{ data: string }>(
    `select current_setting('data_directory') as data`,
  );
  const { uid, gid } = await stat(rows[0]?.data ?? '');
  await chown(folder, uid, gid);
  const space = `small_${crypto.randomUUID().slice(0, 8)}`;
  await client.query(`create tablespace ${space} location '${folder}'`);
  opened.defer(async () => void (await client.query(`drop tablespace ${space}`)));
  const moveTables = async (to: string) => {
    for (const table of tables) await client.query(`alter table ${table} set tablespace ${to}`);
  };
  opened.defer(() => moveTables('pg_default'));
  await moveTables(space);
  const kept = opened.move();
  return {
    ...disk,
    async [Symbol.asyncDispose]() {
      await disk.clear();
      await kept.disposeAsync();
    },
  };
}
