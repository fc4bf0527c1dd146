import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { version } from '#rest/engine/version.ts';
import { root } from '#root';
import { scratchRoot } from '../../support/scratch-root.ts';

const run = promisify(execFile);
const mostMegabytes = 60;

/** The environment of npm, with the Node of this test first. */
const environment = {
  // biome-ignore lint/style/noProcessEnv: npm has its registry and its cache from there
  ...process.env,
  // biome-ignore lint/style/noProcessEnv: npm itself is found there
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
  TOLLGATE_INSTALL: 'never',
  POSTGRES_BIN: 'embedded',
  PORT: '0',
};

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

test('the archive of the package runs in an empty folder, with its own PostgreSQL and dashboard', async () => {
  const folder = await fs.mkdtemp(path.join(await scratchRoot(), 'tollgate-package-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 9 }));
  // Another test may run what a build would replace, so the archive is of the present build.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: root, env: environment });
  const [packed] = JSON.parse(stdout) as [Packed];
  expect(packed.size).toBeLessThan(mostMegabytes * 2 ** 20);
  const sources = /^(test|bench|dashboard\/(src|client))\/|\.tsx?$|tsconfig/;
  expect(packed.files.filter((file) => sources.test(file.path))).toEqual([]);

  await fs.writeFile(path.join(folder, 'package.json'), '{}');
  const install = ['install', `./${packed.filename}`, '--prefer-offline', '--no-audit'];
  await run('npm', install, { cwd: folder, env: environment });
  const command = path.join(folder, 'node_modules/.bin/tollgate');
  const tollgate = async (...args: string[]) =>
    (await run(command, args, { cwd: folder, env: environment })).stdout;
  expect(await tollgate('--version')).toBe(`${version}\n`);

  const service = spawn(command, ['start'], { cwd: folder, env: environment });
  const ended = once(service, 'exit');
  onTestFinished(() => void service.kill('SIGKILL'));
  const url = await addressOf(service.stdout, ended);
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('<div id="root">');
  for (const name of ['docs', 'docs/prices', 'graphql']) {
    const answer = await fetch(`${url}/${name}`, { headers: { accept: 'text/html' } });
    expect(answer.status, name).toBe(200);
  }

  const key = (await tollgate('keys', 'create')).trim();
  const created = await fetch(`${url}/api/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      customer: { email: 'ada@example.com', name: 'Ada', externalId: 'ada' },
    }),
  });
  expect(await created.json()).toMatchObject({ data: { customer: { externalId: 'ada' } } });
  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

/** The address that the service prints. Errors: its end, with what it has printed. */
async function addressOf(
  output: NodeJS.ReadableStream,
  ended: Promise<unknown[]>,
): Promise<string> {
  let written = '';
  const address = Promise.withResolvers<string>();
  output.setEncoding('utf8').on('data', (part) => {
    written += part;
    const [, url] = /Listening on (http:\/\/[^:]+:\d+)/.exec(written) ?? [];
    if (url) address.resolve(url);
  });
  const died = ended.then(([code]) => {
    throw new Error(`The service has ended with ${code}: ${written}`);
  });
  return Promise.race([address.promise, died]);
}
