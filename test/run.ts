import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installClientPackages } from './support/repository/client-packages.ts';
import {
  type FileReport,
  failedIn,
  retriedIn,
  skippedIn,
  skippedTests,
} from './support/repository/report.ts';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** The report of vitest. */
interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly testResults?: readonly FileReport[];
}

/** The checks besides the tests; each counts as one. */
const checks: Readonly<Record<string, readonly string[]>> = {
  'format and lint': ['node_modules/@biomejs/biome/bin/biome', 'ci', '.'],
  types: ['node_modules/typescript/bin/tsc', '-b'],
  'types of the dashboard': ['node_modules/typescript/bin/tsc', '-p', 'dashboard'],
  'nothing unused': ['node_modules/knip/bin/knip.js', '--no-progress'],
};

/** These tests wait for other processes most of the time. A failure may be one of the machine, so it is tried again. */
const systemOptions = ['--retry=1'];
const inProcess = ['test/unit', 'test/service'];
const system = ['test/system'];
const isLong = /^\/\/ @module-tag long$/m;
const isSmoke = (text: string) => text.includes(`tags: ['smoke']`);
const smokeOptions = [...systemOptions, '--tags-filter=smoke'];
const smokeSettings = { FAULTS_SECONDS: '5', SIMULATION_SECONDS: '5' };

/**
 * `npm test` runs the checks, the tests in process except the long ones, and one test of each kind of system test.
 * `npm run test:all` runs everything. `npm test -- invoices` runs the files with this in their path, and nothing else.
 */
const args = process.argv.slice(2);
const filters = args.filter((arg) => arg !== '--all');
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
const notes: string[] = [];
if (filters.length > 0) {
  await runTests(filters);
} else {
  const isAll = args.includes('--all');
  // The check of types reads every test, also those that import these packages.
  await installClientPackages();
  const checking = runChecks();
  await runTests(isAll ? inProcess : await filesWith(inProcess, (text) => !isLong.test(text)));
  if (isAll) await runTests(system, systemOptions);
  else await runTests(await filesWith(system, isSmoke), smokeOptions, smokeSettings);
  await checking;
}
const { passed, failed, skipped } = total;
for (const note of notes) process.stdout.write(`${note}\n`);
process.stdout.write(`${skipped} skipped, ${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function runChecks() {
  for (const [name, command] of Object.entries(checks)) {
    const { code, output } = await runQuietly(command);
    const line = `${code === 0 ? 'ok' : 'FAILED'}: ${name}`;
    process.stdout.write(code === 0 ? `${line}\n` : `${line}\n${output}\n`);
    // A failure is far up on the screen when the tests end.
    if (code !== 0) notes.push(line);
    count({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
  }
}

/** The files of tests in folders whose text is as wanted. */
async function filesWith(folders: readonly string[], isWanted: (text: string) => boolean) {
  const patterns = folders.map((folder) => `${folder}/**/*.test.ts`);
  const files = await Array.fromAsync(glob(patterns));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.filter((_, place) => isWanted(texts[place] ?? ''));
}

function count({ passed, failed, skipped }: Tally) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

/** Runs vitest with its own report on the screen, and its counts from a file. */
async function runTests(
  paths: readonly string[],
  options: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-report-'));
  const report = join(folder, 'report.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run([...vitest, ...reporters, ...options, ...paths], settings);
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    testResults: files = [],
  }: Report = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  await rm(folder, { recursive: true });
  // A run of some tests skips none that was not asked for.
  const tag = options === smokeOptions ? 'smoke' : undefined;
  if (filters.length === 0) notes.push(...skippedIn(files, tag));
  notes.push(...retriedIn(files), ...failedIn(files));
  // A file that cannot even be loaded, and an error outside of all tests, fail without a failed test.
  if (numFailedTests === 0 && code !== 0)
    notes.push('FAILED: outside of tests; vitest names the error');
  count({
    passed: numPassedTests,
    failed: numFailedTests || (code === 0 ? 0 : 1),
    skipped: files.flatMap((file) => skippedTests(file, tag)).length,
  });
}

/** Runs a program of node_modules on this Node, so that the machine's own is not used by chance. */
async function run(
  [file = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  // biome-ignore lint/style/noProcessEnv: a program gets all settings of this one
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** Runs a program beside the tests; its output is not mixed with theirs. */
async function runQuietly([file = '', ...args]: readonly string[]) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  }
  const [code] = await once(child, 'close');
  return { code: code ?? 1, output };
}
