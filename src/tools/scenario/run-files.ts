import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newSecretsKey, secretsKeyFrom, useSecretsKeys } from '#domain/kernel/security/secrets.ts';
import { connect, prepareDatabase } from '#server/database/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import type { Terminal } from '../terminal.ts';
import type { Tally } from './arguments.ts';
import { openServices } from './open-services.ts';
import { readScenario } from './read-scenario.ts';
import { runScenario } from './run-scenario.ts';
import { ScenarioError } from './scenario-error.ts';
import { readText, scenarioFiles } from './scenario-files.ts';

const poolSize = 10;

/**
 * Executes the scenarios of files and folders in one database that is thrown away, each in an organization of its own.
 * Prints a line for each and one for each difference. Errors: UsageError.
 */
export async function runFiles(names: readonly string[], print: Terminal['print']): Promise<Tally> {
  const files = await scenarioFiles(names);
  const sources = new Map<string, string>();
  for (const file of files) sources.set(file, await readText(file));
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-scenario-'));
  try {
    await using opened = new AsyncDisposableStack();
    const open = await openDatabase(opened, dataDir);
    const outcomes: Outcome[] = [];
    for (const [file, source] of sources) {
      outcomes.push(await report(file, source, open, print));
    }
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    return { passed: count('passed'), failed: count('failed'), broken: count('broken') };
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 9 });
  }
}

type Outcome = keyof Tally;

async function openDatabase(opened: AsyncDisposableStack, dataDir: string) {
  const key = secretsKeyFrom(newSecretsKey());
  if (key) useSecretsKeys([key]);
  const postgres = opened.use(await startEmbeddedPostgres({ dataDir, durable: false }));
  const { databaseUrl } = postgres;
  await prepareDatabase(databaseUrl, { now: new Date(), founds: false });
  const orm = await connect({ databaseUrl, poolSize });
  opened.defer(() => orm.close(true));
  return openServices(opened, orm, databaseUrl);
}

async function report(
  file: string,
  source: string,
  open: Awaited<ReturnType<typeof openServices>>,
  print: Terminal['print'],
): Promise<Outcome> {
  const say = (line: string) => print(`${line}\n`);
  const began = performance.now();
  try {
    const scenario = readScenario(source);
    const found = await runScenario(scenario, await open(scenario), dirname(file));
    const duration = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
    say(`${found.length === 0 ? 'ok' : 'DIFFERS'}  ${file}  ${scenario.name}  (${duration})`);
    for (const { line, path, expected, actual } of found) {
      say(`  ${file}:${line}  ${path}\n    expected  ${expected}\n    found     ${actual}`);
    }
    return found.length === 0 ? 'passed' : 'failed';
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const place = error.line === undefined ? file : `${file}:${error.line}`;
    say(`BROKEN  ${place}\n  ${error.message}`);
    return 'broken';
  }
}
