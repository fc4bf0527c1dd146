import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished } from 'vitest';
import { program as listen } from '../../../src/cli/listen.ts';
import { runProgram } from '../../../src/cli/run-program.ts';
import { program as tail } from '../../../src/cli/tail.ts';
import type { Program } from '../../../src/tools/terminal.ts';
import { aCustomer, fresh } from '../../support/factories.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { test } from './service.ts';

/** A program in this process until the test ends it. */
function start(program: Program, args: readonly string[], environment: Record<string, string>) {
  const stopped = new AbortController();
  onTestFinished(() => stopped.abort());
  const written = { stdout: '', stderr: '' };
  const ended = runProgram(program, {
    args,
    environment,
    print: (text) => {
      written.stdout += text;
    },
    tell: (text) => {
      written.stderr += text;
    },
    input: async () => '',
    stop: () => stopped.signal,
  });
  return {
    written,
    ended,
    stop: () => stopped.abort(),
    lines: () => written.stdout.split('\n').filter((line) => line !== ''),
  };
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks, which answers each with the next status. */
async function aReceiver(statuses: readonly number[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses[received.length - 1] ?? 204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const nameOf = ({ body }: Received) => JSON.parse(body).data.externalId;

test('listen signs and sends chosen events, prints each status, and continues after a sequence', async ({
  url,
  tenant,
  session,
}) => {
  const service = { URL: url, KEY: tenant.key };
  const receiver = await aReceiver([204, 500]);
  const args = ['--forward-to', receiver.url, '--events', 'customer.created'];
  const first = start(listen, [...args, '--after', '0'], service);
  await aCustomer(fresh(session), { externalId: 'one' });
  await expect.poll(() => first.lines()).toEqual([expect.stringMatching(/ → 204 \(\d+ ms\)$/)]);
  const secret = /Signing secret: (whsec_\S+)/.exec(first.written.stderr)?.[1] ?? '';
  await aCustomer(fresh(session), { externalId: 'two' });
  await expect.poll(() => first.lines().at(-1)).toMatch(/^\d+ customer\.created cust_\w+ → 500 \(/);
  first.stop();
  expect(await first.ended).toBe(0);
  const [, last] = /--after (\d+) continues/.exec(first.written.stderr) ?? [];

  for (const { headers, body } of receiver.received) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'customer.created',
      object: 'customer',
      actor: expect.anything(),
    });
  }

  await aCustomer(fresh(session), { externalId: 'three' });
  const again = start(listen, [...args, '--after', last ?? '', '--secret', secret], service);
  await expect.poll(() => receiver.received.map(nameOf).at(-1)).toBe('three');
  again.stop();
  expect(await again.ended).toBe(0);
  expect(receiver.received.map(nameOf)).toEqual(['one', 'two', 'three']);
});

test('tail prints each event once through an interruption, as JSON on request', async ({
  url,
  tenant,
  session,
}) => {
  const network = await startProxy(url);
  onTestFinished(() => network[Symbol.asyncDispose]());
  const service = { URL: network.databaseUrl, KEY: tenant.key };
  const tailed = start(tail, ['--json', '--after', '0', '--events', 'customer.created'], service);
  await aCustomer(fresh(session), { externalId: 'before' });
  await expect.poll(() => tailed.lines().length).toBe(1);
  network.cut();
  await aCustomer(fresh(session), { externalId: 'meanwhile' });
  await expect.poll(() => tailed.lines().length, { timeout: 10_000 }).toBe(2);
  tailed.stop();
  await tailed.ended;
  const events = tailed.lines().map((line) => JSON.parse(line));
  expect(events.map(({ data }) => data.externalId)).toEqual(['before', 'meanwhile']);
  expect(events[0]).toMatchObject({ type: 'customer.created', customer: { externalId: 'before' } });
});

test('a feed that the service refuses ends the program with the reason', async ({
  url,
  tenant,
}) => {
  for (const [args, environment, why] of [
    [[], { URL: url, KEY: 'sk_test_unknown' }, /key/i],
    [['--events', 'customer.eaten'], { URL: url, KEY: tenant.key }, /customer\.eaten/],
    [['--after', 'first'], { URL: url, KEY: tenant.key }, /--after must be/],
  ] as const) {
    const { written, ended } = start(tail, args, environment);
    expect(await ended).toBe(1);
    expect(written.stderr).toMatch(why);
  }
});
