import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DataDirError } from './data-dir-lock.ts';
import { ifExists } from './exists.ts';
import { alternative, findBarrier, oneLine, pathParts, type SystemUser } from './system-user.ts';

const run = promisify(execFile);

/**
 * A checkout below /root is out of reach for the user postgres, and a service must not open other
 * users' folders. So root keeps one copy of the programs per version. /var/cache comes before the
 * temporary folder because that is emptied while the server runs.
 */
export async function copyWithinReach(
  native: string,
  barrier: string,
  user: SystemUser,
): Promise<string> {
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
      `elsewhere does not work (${reason}); chmod o+x ${barrier}, or ${alternative}`,
  );
}

/** Whether only root can put something at the path, even by renaming a folder above. */
async function isSafe(target: string): Promise<boolean> {
  const real = await ifExists(fs.realpath(target));
  if (!real) return false;
  for (const part of pathParts(real)) {
    const { mode, uid } = await fs.stat(part);
    const sticky = (mode & 0o1000) !== 0;
    if (uid !== 0 || ((mode & 0o022) !== 0 && !sticky)) return false;
  }
  return true;
}

/** Whether the copy is complete: a power failure or a cleaner of temporary files may have removed parts. */
async function isIntact(copy: string, native: string): Promise<boolean> {
  const stats = await ifExists(fs.lstat(copy));
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
  const former = await ifExists(fs.lstat(copy));
  if (former && former.uid !== 0) throw new Error(`${copy} does not belong to root`);
  try {
    // No other user gets in before the modes are right.
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

/** Sets modes in the copy that let every user read and only root write; the checkout may have any. */
async function openToReaders(folder: string): Promise<void> {
  for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await fs.chmod(file, 0o755);
    if (entry.isFile()) await fs.chmod(file, (await fs.lstat(file)).mode & 0o100 ? 0o755 : 0o644);
  }
  await fs.chmod(folder, 0o755);
}
