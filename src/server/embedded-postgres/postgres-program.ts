import { spawn } from 'node:child_process';
import readline from 'node:readline';
import type { Readable } from 'node:stream';
import { DataDirError } from './data-dir-lock.ts';
import { exists } from './exists.ts';
import { findBarrier, type SystemUser } from './system-user.ts';

const outputLines = 20;

/**
 * Spawns a child in a new session. Otherwise Ctrl-C in a terminal, which signals the whole process group, would stop
 * the database during requests.
 */
export function spawnDetached(
  file: string,
  args: string[],
  cwd: string,
  user: SystemUser | undefined,
) {
  // The child does not inherit the environment, because it contains the secrets of the service.
  const env = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
  return spawn(file, args, {
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.platform === 'win32' ? {} : { env }),
    ...user,
  });
}

/**
 * The path of the folder for a program that runs in it as the user. The user may not be able to enter the folder's
 * parents, as in a checkout in /root. The child changes to the folder while still root. There /proc/self/cwd leads
 * past the parents. An absolute path, which PostgreSQL makes of any relative one, does not. Until version 15 the programs
 * leave the folder and come back by its path.
 */
export async function folderArgument(
  folder: string,
  user: SystemUser | undefined,
  major: number,
): Promise<string> {
  const barrier = user && (await findBarrier(folder, user));
  if (!barrier) return folder;
  if (major > 15 && (await exists('/proc/self/cwd'))) return '/proc/self/cwd';
  throw new DataDirError(
    `DATA_DIR is out of reach for the system user postgres, who may not enter ${barrier}; ` +
      `chmod o+x ${barrier}, or set DATA_DIR to a folder elsewhere`,
  );
}

/** Passes lines on and returns a list that always contains the last ones. */
export function readLines(stream: Readable, log: (line: string) => void): string[] {
  const latest: string[] = [];
  readline.createInterface({ input: stream }).on('line', (line) => {
    latest.push(line);
    if (latest.length > outputLines) latest.shift();
    log(line);
  });
  return latest;
}
