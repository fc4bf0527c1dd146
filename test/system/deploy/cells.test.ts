import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRunningPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { serverOf } from '../../support/fleet/databases.ts';
import { findHaproxy } from '../../support/fleet/programs.ts';
import { startCells } from '../../support/fleet/start-cells.ts';
import { runHere } from '../../support/run-here.ts';
import { testSecretsKey } from '../../support/secrets.ts';

const haproxy = await findHaproxy();
if (!haproxy) process.stdout.write('The test of cells is skipped: it needs HAProxy\n');

const keys = [
  'sk_test_one_one_one_one_one_one_one',
  'sk_test_two_two_two_two_two_two_two',
] as const;

describe.skipIf(!haproxy)('Two cells behind HAProxy', () => {
  test('serve their own organizations, one that has moved, and go on when the database of the other is killed', {
    timeout: 600_000,
  }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-cells-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 9 }));
    const settings = { SECRETS_KEY: testSecretsKey, METRICS_TOKEN: 'a token of twenty letters' };
    const running = await startCells({ haproxy: haproxy ?? [''], folder, keys, settings });
    onTestFinished(() => running[Symbol.asyncDispose]());
    const [one, two] = running.cells;
    const call = async (method: string, to: string, key: string, body?: object) => {
      const answer = await fetch(`${running.url}${to}`, {
        method,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json().catch(() => undefined) };
    };
    const query = async (key: string, query: string) =>
      (await call('POST', '/graphql', key, { query })).body.data;
    const nameOf = async (key: string): Promise<string> =>
      (await query(key, '{ products(first: 1) { nodes { organizationId } } }')).products.nodes[0]
        .organizationId;
    const organizationId = await nameOf(keys[0]);
    expect(await nameOf(keys[1])).not.toBe(organizationId);
    expect((await fetch(`${two.url}/ready`).then((answer) => answer.json())).cell).toBe('two');
    const issue = 'mutation { createApiKey(apiKey: { name: "New", type: secret }) { token } }';
    const newKey: string = (await query(keys[0], issue)).createApiKey.token;
    expect(await nameOf(newKey)).toBe(organizationId);

    const tool = (...args: string[]) =>
      runHere(['tenant', ...args], { DATA_DIR: one.dataDir, TOLLGATE_CELL: 'one' });
    const target = (await findRunningPostgres(two.dataDir)) ?? '';
    const to = ['--to', target, '--cell', 'two'];
    expect(await tool('move', organizationId, ...to, '--check')).toMatchObject({
      code: 0,
      stdout: 'The organization can move\n',
    });
    const moved = await tool(
      ...['move', organizationId, ...to, '--map', running.map, '--haproxy', running.socket],
      ...['--host', 'acme.example.com', '--freeze-seconds', '60'],
    );
    expect(moved, moved.stderr).toMatchObject({ code: 0 });
    process.stdout.write(moved.stdout.split('\n').at(-2)?.concat('\n') ?? '');

    // A host leads to it without a key, as links and sockets do.
    expect(await readyBy(running.url, 'acme.example.com')).toMatchObject({ cell: 'two' });
    expect(await readyBy(running.url, 'other.example.com')).toMatchObject({ cell: 'one' });
    // Old and new keys lead to the other cell, and the first one does not serve them.
    for (const key of [keys[0], newKey]) {
      // Clients repeat a 503, which a move answers for 5 seconds at most.
      const found = () => nameOf(key).catch(() => undefined);
      await expect.poll(found).toBe(organizationId);
      const direct = await fetch(`${one.url}/api/v1/products`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect([direct.status, direct.headers.get('retry-after')]).toEqual([503, '1']);
    }
    const metrics = await fetch(`${one.url}/metrics`, {
      headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` },
    }).then((answer) => answer.text());
    expect(metrics).toContain('tollgate_cell_info{cell="one"} 1');
    expect(metrics).toContain('tollgate_organization_moves{state="moved"} 1');
    expect((await tool('list')).stdout).toMatch(/moved two/);
    expect((await tool('remove', organizationId)).stdout).toMatch(/^\d+ rows deleted\n$/);

    // The database of the first cell is killed while the other cell is read and written.
    const statuses: number[] = [];
    const working = new AbortController();
    const clients = Array.from({ length: 6 }, async (_, place) => {
      for (let round = 0; !working.signal.aborted; round++) {
        const key = [keys[0], keys[1], newKey][place % 3] ?? '';
        const name = `${place}-${round}`;
        const customer = { externalId: name, name, email: 'ada@example.com' };
        const write = await call('POST', '/api/v1/customers', key, { customer });
        const read = await call('GET', '/api/v1/customers', key);
        statuses.push(write.status, read.status);
      }
    });
    const more = async (count: number) => {
      const before = statuses.length;
      await expect.poll(() => statuses.length).toBeGreaterThan(before + count);
    };
    await more(50);
    const [server = 0] = await serverOf(path.join(one.dataDir, 'postgres'));
    process.kill(server, 'SIGKILL');
    await more(100);
    working.abort();
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const ofOne = await fetch(`${running.url}/api/v1/products`, {
      headers: { authorization: 'Bearer sk_test_of_another_organization_of_one' },
    });
    expect([ofOne.status, ofOne.headers.has('retry-after')]).toEqual([503, true]);
  });
});

/** The answer of the cell that a host leads to. */
const readyBy = (url: string, host: string) =>
  new Promise<{ cell: string }>((resolve, reject) => {
    http
      .get(`${url}/ready`, { headers: { host } }, async (answer) => {
        const chunks = await Array.fromAsync(answer);
        resolve(JSON.parse(Buffer.concat(chunks).toString()));
      })
      .on('error', reject);
  });
