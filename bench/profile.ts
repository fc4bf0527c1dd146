import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CpuProfile, summarize } from './running/cpu-profile.ts';
import { runBenchmark } from './running/run-benchmark.ts';
import { leftStatements } from './running/statements.ts';

const shown = 15;

/**
 * Runs a benchmark once, with further arguments if it has some, and prints where its processes and its database spent
 * their time. The profiler itself takes time, so the figures of such a run are lower.
 */
export async function profile(name: string, given: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-profile-'));
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
    const output = await runBenchmark('.', name, {
      flags,
      args: [...given, `--statements=${folder}`],
    });
    process.stdout.write(output);
    for (const file of (await readdir(folder)).filter((file) => file.endsWith('.cpuprofile'))) {
      printProfile(JSON.parse(await readFile(join(folder, file), 'utf8')));
    }
    for (const statements of await leftStatements(folder)) {
      const all = statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      print(
        `Statements, ${all.toFixed(0)} ms`,
        all,
        statements.map(({ calls, milliseconds, text }) => [
          `${String(calls).padStart(8)} calls  ${(milliseconds / calls).toFixed(3)} ms each  ${shownStatement(text)}`,
          milliseconds,
        ]),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The start of a statement; that of a batch without its table of members. */
const shownStatement = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replace(/^prepare probe as (select own\.\*.*?lateral \(select \* from \()?/, 'batch: ')
    .slice(0, 160);

function printProfile(read: CpuProfile) {
  const { program, busy, idle, places, functions } = summarize(read);
  print(
    `${program}: busy ${busy.toFixed(0)} ms, idle ${idle.toFixed(0)} ms; by place`,
    busy,
    places,
  );
  print('by function', busy, functions);
}

function print(title: string, all: number, rows: readonly (readonly [string, number])[]) {
  process.stdout.write(`\n${title}\n`);
  for (const [name, milliseconds] of rows.slice(0, shown)) {
    const share = `${((100 * milliseconds) / all).toFixed(1)} %`.padStart(7);
    process.stdout.write(`${share}  ${milliseconds.toFixed(0).padStart(7)} ms  ${name}\n`);
  }
}
