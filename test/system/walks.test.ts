import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished } from 'vitest';
import { guideNames, readGuide } from '#rest/guides/index.ts';
import type { TestDatabase } from '../support/database.ts';
import { dataFolder, type Running, startService } from '../support/process.ts';
import { testSecretsKey } from '../support/secrets.ts';
import { startFakeStripe } from '../support/stripe/fake-stripe.ts';
import { aTenant } from '../support/tenant.ts';
import { systemTest as test } from '../support/test.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const walks = path.join(repository, 'test/walks');

/** A walk that takes longer waits for something that does not happen. */
const limitMilliseconds = 480_000;

const firstGuide = 'getting-started';

/** A guide whose commands one file of `walks` executes. */
interface Walk {
  readonly name: string;
  readonly markdown: string;
  /** Documents that print some of the same commands. */
  readonly others: readonly string[];
  readonly script: string;
}

/** Blocks of a language, without their indentation. `console` blocks are not run: they start and stop services. */
function blocksOf(markdown: string, language: string): string[][] {
  const blocks = markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm);
  return [...blocks]
    .filter(([, , name]) => name === language)
    .map(([, , , block = '']) => linesOf(block));
}

const linesOf = (source: string) =>
  source
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const withCommands: Walk[] = [];
for (const name of guideNames) {
  const markdown = await readGuide(name);
  if (blocksOf(markdown, 'sh').length === 0) continue;
  const readme = await readFile(path.join(repository, 'README.md'), 'utf8');
  const script = await readFile(path.join(walks, `${name}.sh`), 'utf8').catch(() => '');
  withCommands.push({
    name,
    markdown,
    others: name === firstGuide ? [readme] : [],
    script,
  });
}

test('every walk belongs to a guide, except the short commands', async () => {
  const files = (await readdir(walks)).map((file) => file.replace(/\.sh$/, ''));
  expect(files.toSorted()).toEqual([...withCommands.map(({ name }) => name), 'tools'].toSorted());
});

describe.each(withCommands)('$name', ({ name, markdown, others, script }) => {
  test('prints exactly lines of its walk, in their order', () => {
    for (const document of [markdown, ...others]) {
      let rest = linesOf(script).join('\n');
      for (const block of blocksOf(document, 'sh')) {
        const place = rest.indexOf(block.join('\n'));
        expect(place, `not in test/walks/${name}.sh:\n${block.join('\n')}`).not.toBe(-1);
        rest = rest.slice(place);
      }
    }
  });
});

test('the walk of the first guide prints what it states', { tags: ['smoke'] }, ({ database }) =>
  walk(database, ({ name }) => name === firstGuide),
);

test('every other walk prints what its guide states', ({ database }) =>
  walk(database, ({ name }) => name !== firstGuide));

async function walk({ databaseUrl, orm }: TestDatabase, isWanted: (walk: Walk) => boolean) {
  await using stripe = await startFakeStripe();
  const service = await startService({
    DATABASE_URL: databaseUrl,
    STRIPE_API_BASE: stripe.url,
    PORT: String(await freePort()),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const waiting = withCommands.filter(isWanted);
  const failures: string[] = [];
  // Some at a time: most of a walk is the start of small programs.
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { key } = await aTenant(orm.em);
        const printed = await outputOf(next, service, {
          KEY: key,
          DATABASE_URL: databaseUrl,
          STRIPE_API_BASE: stripe.url,
        });
        failures.push(...missingIn(next, printed));
      }
    }),
  );
  expect(failures).toEqual([]);
}

/** A port that is free together with the next one, where the receiver of webhooks listens. */
async function freePort(): Promise<number> {
  const [first, second] = [createServer(), createServer()];
  try {
    await once(first.listen(0, '127.0.0.1'), 'listening');
    const { port } = first.address() as AddressInfo;
    await once(second.listen(port + 1, '127.0.0.1'), 'listening');
    return port;
  } catch {
    return freePort();
  } finally {
    first.close();
    second.close();
  }
}

/** Runs a walk in a group of processes of its own, which ends with the test. */
async function outputOf({ name }: Walk, { url }: Running, settings: Record<string, string>) {
  const child = spawn('sh', [`test/walks/${name}.sh`], {
    cwd: repository,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // biome-ignore lint/style/noProcessEnv: npm is where the caller's PATH says
      PATH: `${repository}/node_modules/.bin:${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: await dataFolder(),
      SECRETS_KEY: testSecretsKey,
      URL: url,
      ...settings,
    },
  });
  const tooLong = setTimeout(() => endGroup(child), limitMilliseconds);
  onTestFinished(() => endGroup(child));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  clearTimeout(tooLong);
  return { lines: linesOf(stdout), code, stderr };
}

function endGroup({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

/** The lines of a guide's output blocks that a walk has not printed in this order. `…` is for any text. */
function missingIn(
  { name, markdown }: Walk,
  { lines, code, stderr }: Awaited<ReturnType<typeof outputOf>>,
): string[] {
  const wrong = (what: string) => [`${name}: ${what}\n${stderr}\n${lines.join('\n')}`];
  if (code !== 0) return wrong(`exit code ${code}`);
  let place = 0;
  for (const expected of blocksOf(markdown, 'text').flat()) {
    const pattern = new RegExp(`^${expected.split('…').map(RegExp.escape).join('.*')}$`);
    const found = lines.findIndex((line, index) => index >= place && pattern.test(line));
    if (found === -1) return wrong(`not printed: ${expected}`);
    place = found + 1;
  }
  return [];
}
