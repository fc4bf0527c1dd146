import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { bundledProgram } from '../../src/launch/bundled-program.js';
import { scratchRoot } from './scratch-root.ts';
import { testSecretsKey } from './secrets.ts';

const repository = path.resolve(import.meta.dirname, '../..');

/** The environment of every process; the compile cache makes tests faster. */
const common = {
  PATH: '/usr/bin:/bin',
  LOG_LEVEL: 'info',
  SECRETS_KEY: testSecretsKey,
  NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache'),
  // biome-ignore lint/style/noProcessEnv: a PostgreSQL of the machine changes no test, unless it is asked for by name
  POSTGRES_BIN: process.env.POSTGRES_BIN ?? 'embedded',
};

export type Settings = Readonly<Record<string, string>>;

/** The exit of a process and its output. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Spawned {
  readonly stdout: () => string;
  kill(signal: NodeJS.Signals): void;
  ended(): Promise<Ended>;
}

/** A process that serves requests. */
export interface Running extends Spawned {
  readonly url: string;
}

/** An empty folder for one test. */
export async function dataFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(await scratchRoot(), 'tollgate-process-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 9 }));
  return folder;
}

/** Starts the service and waits until it prints its address. `options` are those of Node. */
export async function startService(
  settings: Settings,
  options: readonly string[] = [],
): Promise<Running> {
  const address = Promise.withResolvers<string>();
  const program = [...options, 'src/main.ts'];
  const service = spawnProgram(program, { PORT: '0', ...settings }, (stdout) => {
    const url = /Listening on (http:\/\/[^:]+:\d+)/.exec(stdout)?.[1];
    if (url) address.resolve(url);
  });
  const died = service.ended().then(({ code, stderr }) => {
    throw new Error(`The process has ended with ${code} instead of listening: ${stderr}`);
  });
  return { ...service, url: await Promise.race([address.promise, died]) };
}

/** Runs a program of the service until it ends. */
export const runToEnd = (args: readonly string[], settings: Settings): Promise<Ended> =>
  spawnProgram(args, settings).ended();

/** Starts a program of the service; it does not outlive the test. */
export function spawnProgram(
  args: readonly string[],
  settings: Settings,
  onOutput: (stdout: string) => void = () => {},
): Spawned {
  const env = { ...common, ...settings };
  // A module that is loaded before the sources shares theirs; the bundle has its own.
  const isBundled = settings.TOLLGATE_RUN !== 'sources';
  const programs = isBundled ? args.map((arg) => bundledProgram(repository, arg)) : args;
  const child = spawn(process.execPath, programs, { cwd: repository, env, stdio: 'pipe' });
  onTestFinished(() => endOf(child));
  const written = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    written.stderr += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    written.stdout += text;
    onOutput(written.stdout);
  });
  const closed = once(child, 'close');
  return {
    stdout: () => written.stdout,
    kill: (signal) => void child.kill(signal),
    ended: async () => ({ code: (await closed)[0], ...written }),
  };
}

/** Kills the process at the end, whatever the result of the test. */
async function endOf(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
