import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './postgres-builds.ts';

const stopMilliseconds = 10_000;

const run = promisify(execFile);

/** Interrupts the work in progress (fast shutdown); a server that hangs is killed. */
export async function stopServer(
  pid: number | undefined,
  binaries: PostgresBinaries,
  ends: (milliseconds: number) => Promise<boolean>,
): Promise<void> {
  if (pid === undefined || (await ends(0))) return;
  for (const signal of ['INT', 'QUIT', 'KILL']) {
    await sendSignal(pid, signal, binaries);
    if (await ends(stopMilliseconds)) return;
  }
  throw new Error(`PostgreSQL (pid ${pid}) does not end`);
}

async function sendSignal(pid: number, signal: string, binaries: PostgresBinaries): Promise<void> {
  try {
    // Windows has no signals; PostgreSQL brings its own there.
    if (process.platform === 'win32') await run(binaries.pg_ctl, ['kill', signal, String(pid)]);
    else process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
