import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '#root';
import { statOf, ticks } from '../running/processor-time.ts';

const starts = 5;

/** The medians of several starts until the service listens, in seconds of processor time. */
export interface StartSeconds {
  readonly empty: number;
  readonly withData: number;
}

/** Starts the service several times, each in an empty folder and again with its data. */
export async function measureStarts(): Promise<StartSeconds> {
  const all = { empty: [] as number[], withData: [] as number[] };
  for (let turn = 0; turn < starts; turn++) {
    await inFolder(async (folder) => {
      all.empty.push((await start(folder)).seconds);
      all.withData.push((await start(folder)).seconds);
    });
  }
  return { empty: median(all.empty), withData: median(all.withData) };
}

/** The files of code that a start with data loads. */
export const countFiles = (): Promise<number> =>
  inFolder(async (folder) => {
    await start(folder);
    const { errors } = await start(folder, ['--import', './bench/weights/count-files.js']);
    return Number(/files of code: (\d+)/.exec(errors)?.[1]);
  });

const median = (all: readonly number[]) =>
  all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-weigh-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 9 });
  }
}

async function start(folder: string, options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, 'src/launch.js', 'src/main.ts'], {
    cwd: root,
    // biome-ignore lint/style/noProcessEnv: the service runs as it does for the caller
    env: { ...process.env, DATA_DIR: path.join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (part) => {
    errors += part;
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      output += part;
      if (output.includes('Listening on')) resolve();
    });
    child.on('exit', () => reject(new Error(`The service has not started: ${errors}`)));
  });
  const used = statOf(child.pid ?? 0);
  child.kill('SIGTERM');
  await ended;
  return { seconds: ((used?.own ?? 0) + (used?.ended ?? 0)) / ticks, errors };
}
