import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished } from 'vitest';
import { parseCatalogArguments } from '../../../src/tools/catalog/arguments.ts';
import { UsageError } from '../../../src/tools/user-error.ts';
import { runHere } from '../../support/run-here.ts';
import { test } from '../../support/test.ts';

const document = `name: Default
usageMeters: []
features:
  - {type: toggle, slug: sso, name: SSO, description: Sign on}
products:
  - product: {slug: pro, name: Pro, active: true}
    price: {type: subscription, slug: pro, isDefault: true, unitPrice: 500, intervalUnit: month, intervalCount: 1}
    features: [sso]
`;

/** The program against the gateway of the test, over HTTP. */
async function open(gateway: { fetch: (request: Request) => Response | Promise<Response> }) {
  const server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await gateway.fetch(
      new Request(`http://test${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          name === 'connection' || value === undefined ? [] : [[name, String(value)]],
        ),
        ...(body && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  runHere(['catalog', ...args], environment);

describe('tollgate catalog', () => {
  test('plans, applies and exports over HTTP, with exit codes for CI', async ({
    gateway,
    tenant,
    api,
  }) => {
    const service = { URL: await open(gateway), KEY: tenant.key };
    const folder = await mkdtemp(path.join(tmpdir(), 'catalog-'));
    const file = path.join(folder, 'catalog.yaml');
    await writeFile(file, document);

    const planned = await run(['plan', file, '--exit-code'], service);
    expect(planned).toMatchObject({ code: 2, stderr: '' });
    expect(planned.stdout).toContain('+ price pro of pro: is new in the document\n');
    expect(planned.stdout).toMatch(
      /4 to create, 0 to change, 0 to retire\.\nTo apply this plan only: --state \S+\n$/,
    );
    expect((await api('GET', '/features')).body.total).toBe(0);

    const state = /--state ([0-9a-f]{32})\n$/.exec(planned.stdout)?.[1] ?? '';
    const late = await run(['apply', file, '--state', state.replace(/./g, '0')], service);
    expect(late).toMatchObject({ code: 1, stdout: '' });
    expect(late.stderr).toMatch(/If-Match: is 0{32}, but the catalog has changed since that plan/);
    const applied = await run(['apply', file, '--state', state], service);
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toMatch(/Applied to the pricing model Default: pricing_model_\w+\n$/);
    const again = await run(['plan', file, '--exit-code'], service);
    expect(again).toEqual({ code: 0, stdout: 'No changes.\n', stderr: '' });

    const json = path.join(folder, 'exported.json');
    expect(await run(['export', json], service)).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(await readFile(json, 'utf8')).features).toMatchObject([{ slug: 'sso' }]);
    const { pricingModelId } = tenant.session;
    const byId = ['--pricing-model', pricingModelId, '--url', service.URL, '--key', tenant.key];
    expect((await run(['plan', json, ...byId])).stdout).toBe('No changes.\n');

    await writeFile(file, document.replace('name: Default', 'name: Studio'));
    const other = await run(['apply', file], service);
    const [, id] =
      /Applied to the pricing model Studio: (pricing_model_\w+)\n/.exec(other.stdout) ?? [];
    expect(id).toBeDefined();
    expect(other.stdout).toContain(`use a key of it: tollgate keys create --pricing-model ${id}\n`);

    await writeFile(file, document.replace('features: [sso]', 'features: [none]'));
    const refused = await run(['apply', file], service);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^400 Invalid input data\n {2}products\.0\.features\.0: Unknown feature none/,
    );
  });

  test('states what is wrong with arguments, file and address', async () => {
    const service = { URL: 'http://127.0.0.1:1', KEY: 'sk_test_x' };
    const [unread, silent] = await Promise.all([
      run(['plan', 'no-such.yaml'], service),
      run(['export'], service),
    ]);
    expect(unread).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^no-such\.yaml cannot/),
    });
    expect(silent).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not answer/),
    });
    for (const [args, message] of [
      [[], /^A command is missing/],
      [['sync'], /^There is no command sync/],
      [['plan'], /^plan takes a file/],
      [['plan', 'a', 'b'], /^plan takes one file/],
      [['apply', 'a', '--exit-code'], /^--exit-code is for plan/],
      [['plan', 'a', '--state', 'x'], /^--state is for apply/],
      [['export', '--url', 'nowhere'], /^--url or URL must be an address/],
    ] as const) {
      expect(() => parseCatalogArguments(args, { KEY: 'k' })).toThrow(UsageError);
      expect(() => parseCatalogArguments(args, { KEY: 'k' })).toThrow(message);
    }
    expect(() => parseCatalogArguments(['export'], {})).toThrow(/^An API key is missing/);
    expect(parseCatalogArguments(['plan', '--help'], {})).toEqual({ command: 'help' });
  });
});
