import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installClientPackages } from './support/client-packages.ts';
import { skippedIn } from './support/skipped.ts';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** The checks besides the tests; each counts as one. */
const checks: Readonly<Record<string, readonly string[]>> = {
  'format and lint': ['node_modules/@biomejs/biome/bin/biome', 'ci', '.'],
  types: ['node_modules/typescript/bin/tsc'],
  'types of the dashboard': ['node_modules/typescript/bin/tsc', '-p', 'dashboard'],
};

/** Names of files or parts of them: `npm test -- invoices` runs these tests, and nothing else. */
const filters = process.argv.slice(2);
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
if (filters.length === 0) await runChecks();
count(await runTests(filters));
const { passed, failed, skipped } = total;
process.stdout.write(`${skipped} skipped, ${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function runChecks() {
  // The check of the types reads every test, also those that import these packages.
  await installClientPackages();
  for (const [name, command] of Object.entries(checks)) {
    const code = await run(command);
    process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}: ${name}\n`);
    count({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
  }
}

function count({ passed, failed, skipped }: Tally) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

/** Runs vitest with its own report on the screen, and its counts from a file. */
async function runTests(filters: readonly string[]): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-report-'));
  const report = join(folder, 'report.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run([...vitest, ...reporters, ...filters]);
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    testResults = [],
  } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  await rm(folder, { recursive: true });
  // A run of some tests skips none that was not asked for.
  const lines = filters.length === 0 ? skippedIn(testResults) : [];
  for (const line of lines) process.stdout.write(`${line}\n`);
  // A file that cannot even be loaded has no failed test, and fails all the same.
  return {
    passed: numPassedTests,
    failed: numFailedTests || (code === 0 ? 0 : 1),
    skipped: numPendingTests,
  };
}

/** Runs a program of node_modules on this Node, so that the machine's own is not used by chance. */
async function run([file = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
