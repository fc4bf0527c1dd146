import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');

export type Settings = Readonly<Record<string, string>>;

/** How a process has ended and what it has written. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that answers requests. */
export interface Running {
  readonly url: string;
  readonly stdout: () => string;
  kill(signal: NodeJS.Signals): void;
  ended(): Promise<Ended>;
}

/** An empty folder for one test. */
export async function dataFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'tollgate-process-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 9 }));
  return folder;
}

/** Starts the service and waits until it says where it listens. */
export async function startService(settings: Settings): Promise<Running> {
  const { child, stdout, ended } = spawnNode(['src/main.ts'], { PORT: '0', ...settings });
  const address = Promise.withResolvers<string>();
  child.stdout?.on('data', () => {
    const url = /Listening on (http:\/\/[^:]+:\d+)/.exec(stdout())?.[1];
    if (url) address.resolve(url);
  });
  const died = ended().then(({ code, stderr }) => {
    throw new Error(`The process has ended with ${code} instead of listening: ${stderr}`);
  });
  const url = await Promise.race([address.promise, died]);
  died.catch(() => {});
  return { url, stdout, ended, kill: (signal) => child.kill(signal) };
}

/** Runs a program of the service until it ends. */
export const runToEnd = (args: readonly string[], settings: Settings): Promise<Ended> =>
  spawnNode(args, settings).ended();

function spawnNode(args: readonly string[], settings: Settings) {
  const env = { PATH: '/usr/bin:/bin', LOG_LEVEL: 'info', ...settings };
  const child = spawn(process.execPath, args, { cwd: repository, env, stdio: 'pipe' });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (written.stderr += text));
  const closed = once(child, 'close');
  onTestFinished(() => endOf(child));
  const ended = async (): Promise<Ended> => ({ code: (await closed)[0], ...written });
  return { child, ended, stdout: () => written.stdout };
}

/** Killed at last, whatever the test has come to. */
async function endOf(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
