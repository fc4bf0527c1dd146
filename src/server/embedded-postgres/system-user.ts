import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DataDirError } from './data-dir-lock.ts';
import { ifExists } from './exists.ts';

/** The user that PostgreSQL runs as. */
export interface SystemUser {
  uid: number;
  gid: number;
}

const run = promisify(execFile);

/** The alternative where PostgreSQL cannot run next to a root process. */
export const alternative =
  'run Tollgate as an ordinary user, or set DATABASE_URL to a PostgreSQL server';

/**
 * The user for PostgreSQL when this process is root, as which PostgreSQL refuses to run. An existing cluster keeps
 * its owner: the postgres user of another image or machine, which mounts the same folder, may have another number.
 */
export async function findPostgresUser(cluster: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await ifExists(fs.stat(path.join(cluster, 'PG_VERSION')));
  // `id` fails for an unknown user; any other reason makes the creation fail, too, which is reported.
  if (!owner) return lookUpPostgresUser().catch(createPostgresUser);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  throw new DataDirError(
    `DATA_DIR contains a database that belongs to root: chown -R postgres: ${cluster}`,
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
        `(${oneLine(error)}); ${alternative}`,
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

/** The folders above a path and the path itself, from the top. */
export function pathParts(absolute: string): string[] {
  const parent = path.dirname(absolute);
  return parent === absolute ? [absolute] : [...pathParts(parent), absolute];
}

/** The message of an error without its line breaks. */
export function oneLine(error: unknown): string {
  return (error as Error).message.trim().replaceAll(/\s*\n\s*/g, ' ');
}
