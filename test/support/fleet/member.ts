import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from './programs.ts';
import { sendSignal } from './send-signal.ts';

const longestStartMilliseconds = 240_000;
const longestStopMilliseconds = 20_000;
/** PostgreSQL and PgBouncer refuse to run as root. */
export const nobody = 65_534;

/** How a member of a fleet is started. */
export interface MemberOptions {
  readonly name: string;
  readonly command: Command;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of its log. */
  readonly folder: string;
  /** Whether it must not run as root. */
  readonly unprivileged?: boolean;
}

/** A process of a fleet, with the processes that it starts. Its output is in the file NAME.log. */
export interface Member {
  readonly name: string;
  start(): void;
  /** The process that leads its group; undefined before the start. */
  processId(): number | undefined;
  /** Whether it runs: it was started, and has not ended since. */
  isRunning(): boolean;
  /** Ends it as a crash would: it, and the processes that it has started, end at once. */
  kill(): Promise<void>;
  /** Lets it end by itself, and kills it when that takes too long. */
  stop(): Promise<void>;
}

/** A member that is not started yet. */
export function createMember({ name, command, env, folder, unprivileged }: MemberOptions): Member {
  let child: ChildProcess | undefined;
  const isRunning = () =>
    child !== undefined && child.exitCode === null && child.signalCode === null;

  return {
    name,
    processId: () => child?.pid,
    isRunning,
    start() {
      const [program, ...args] = command;
      const log = createWriteStream(path.join(folder, `${name}.log`), { flags: 'a' });
      child = spawn(program, args, {
        cwd: folder,
        // A group of its own: a crash of the machine ends a server together with its supervisor.
        detached: true,
        env: { ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(unprivileged && process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
      });
      child.on('error', ({ message }) => log.write(`${name} cannot be started: ${message}\n`));
      child.stdout?.pipe(log, { end: false });
      child.stderr?.pipe(log, { end: false });
    },
    async kill() {
      if (!child || !isRunning()) return;
      const ended = once(child, 'exit');
      signal(child, 'SIGKILL');
      await ended;
    },
    async stop() {
      if (!child || !isRunning()) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = sleep(longestStopMilliseconds, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') signal(child, 'SIGKILL');
      await ended;
      signal(child, 'SIGKILL');
    },
  };
}

/** To the whole group, of which a part may have ended. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals) {
  if (pid !== undefined) sendSignal(-pid, name);
}

/** Waits until a program accepts connections. Errors: Error when it does not in time. */
export async function listening(name: string, port: number): Promise<void> {
  await until(`${name} to listen on port ${port}`, async () => {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } finally {
      socket.destroy();
    }
  });
}

/** Waits until a question is answered with something. Errors: Error that names what has not happened in time. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + longestStartMilliseconds;
  for (;;) {
    let problem: unknown;
    try {
      const found = await ask();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      problem = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`Waiting for ${what} has taken too long`, { cause: problem });
    }
    await sleep(200);
  }
}
