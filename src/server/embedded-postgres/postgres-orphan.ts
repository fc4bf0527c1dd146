import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ifExists } from './exists.ts';
import { isCode } from './lock-socket.ts';
import type { Cluster } from './postgres-cluster.ts';
import { folderSetting } from './postgres-settings.ts';
import { isAlive, stopServer } from './stop-server.ts';
import { comesTrue } from './waiting.ts';

const run = promisify(execFile);

/** Stops a server whose owner is dead; the lock proves that no other process uses it. */
export async function stopOrphan({ folder, binaries, log }: Cluster): Promise<void> {
  const pidFile = path.join(folder, 'postmaster.pid');
  const content = (await ifExists(fs.readFile(pidFile, 'utf8'))) ?? '';
  const pid = Number.parseInt(content, 10);
  if (!(pid > 0) || !isAlive(pid)) return;
  const serves = await servesFolder(pid, folder);
  if (serves) {
    log(`PostgreSQL still runs for an owner that is gone (pid ${pid}), stopping it`);
    await stopServer(pid, binaries, (milliseconds) =>
      comesTrue(milliseconds, async () => !(await servesFolder(pid, folder))),
    );
  }
  // PostgreSQL refuses to start when the process id of a dead server belongs to another program.
  if (serves === false) await fs.rm(pidFile, { force: true });
}

/** Whether the process is the server of the folder; undefined when that cannot be determined. */
async function servesFolder(pid: number, folder: string): Promise<boolean | undefined> {
  const command = await readCommand(pid);
  if (command === undefined) return undefined;
  if (!command.includes('postgres')) return false;
  // The working directory is the proof, also when the folder was moved. In a container even root
  // may lack the right to see it.
  const cwd = await fs.stat(`/proc/${pid}/cwd`).catch((error: unknown) => {
    if (isCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  });
  const own = await fs.stat(folder);
  if (cwd) return cwd.dev === own.dev && cwd.ino === own.ino;
  return command.endsWith(`${folderSetting}=${folder}`) || undefined;
}

/** The command line of a process, empty for one that has ended, undefined when unknown. */
async function readCommand(pid: number): Promise<string | undefined> {
  try {
    if (!isAlive(pid)) return '';
    if (process.platform === 'win32') return undefined;
    if (process.platform !== 'linux') {
      const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
      return stdout.trim();
    }
    const command = await fs.readFile(`/proc/${pid}/cmdline`, 'utf8');
    return command.replaceAll('\0', ' ').trim();
  } catch {
    // The process ended meanwhile, or its command line cannot be read: the caller decides by other signs.
    return isAlive(pid) ? undefined : '';
  }
}
