import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { readConfig } from '#config';
import { RateLimit } from '#server/http/rate-limit.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { aKey } from '../../support/tenant.ts';
import { test as base } from '../../support/test.ts';

const { limits } = readConfig({
  RATE_LIMIT_SECRET: '1',
  RATE_LIMIT_PUBLISHABLE: '0',
  RATE_LIMIT_ADDRESS: '1',
  TRUSTED_PROXIES: '1',
  LIVE_PER_SOCKET: '2',
  LIVE_PER_KEY: '3',
  SOCKETS_PER_KEY: '2',
  SSE_PER_ADDRESS: '2',
  SOCKETS_PER_ADDRESS: '4',
});

const test = base.extend('url', async ({ database: { orm }, hub }, { onCleanup }) => {
  const logger = createLogger('silent');
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 5, limits };
  const address = { host: '127.0.0.1', port: 0 };
  const server = await startServer(createGateway(parts), address, hub, { limits });
  onCleanup(() => server[Symbol.asyncDispose]());
  return server.url;
});

/** Asks until it is refused for the rate, which is at most so often. */
async function askUntilRefused(ask: () => Promise<Response>, most = 30) {
  for (let times = 0; times < most; times++) {
    const response = await ask();
    if (response.status === 429) return response;
    await response.arrayBuffer();
  }
  throw new Error('It is never refused');
}

test('a key that asks too often gets 429 with Retry-After, over REST and GraphQL; others do not', async ({
  url,
  tenant,
  session,
}) => {
  const get = (key: string) =>
    fetch(`${url}/api/v1/products`, { headers: { authorization: `Bearer ${key}` } });
  const refused = await askUntilRefused(() => get(tenant.key));
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({
    code: 'TOO_MANY_REQUESTS',
    message: expect.stringContaining('try again in'),
    issues: [],
  });
  const asked = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: tenant.key, 'content-type': 'application/json' },
    body: '{"query":"{__typename}"}',
  });
  expect(asked.status).toBe(429);
  expect(asked.headers.get('retry-after')).not.toBeNull();
  expect(await asked.json()).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }],
  });
  expect((await get(await aKey(session, 'secret'))).status).toBe(200);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('without a valid key the address counts, and keys of the same address that are known continue', async ({
  url,
  session,
}) => {
  const key = await aKey(session, 'publishable');
  const get = (authorization: string, address: string) =>
    fetch(`${url}/api/v1/products`, { headers: { authorization, 'x-forwarded-for': address } });
  expect((await get(key, '192.0.2.1')).status).toBe(200);
  await askUntilRefused(() => get('Bearer sk_test_unknown_key', '192.0.2.1'));
  expect((await get('', '192.0.2.1')).status).toBe(429);
  expect((await get('', '10.9.9.9, 192.0.2.1')).status).toBe(429);
  expect((await get(key, '192.0.2.1')).status).toBe(200);
  expect((await get('', '192.0.2.2')).status).toBe(401);
});

function connect(url: string, key: string) {
  return createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: key },
  });
}

test('a socket and a key have so many subscriptions, and a key so many sockets', async ({
  url,
  session,
}) => {
  const key = await aKey(session, 'publishable');
  const clients = [connect(url, key), connect(url, key), connect(url, key)] as const;
  const { data } = await (
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: '{"query":"{ products { nodes { id } } }"}',
    })
  ).json();
  const id = data.products.nodes[0].id as string;
  const open = (client: ReturnType<typeof connect>, watched = id) => {
    const query = `subscription { productChanged(id: "${watched}") { id } }`;
    const next = client.iterate({ query }).next();
    const pause = new Promise((resolve) => setTimeout(resolve, 500, 'open'));
    const refused = (errors: unknown) =>
      Array.isArray(errors) ? { errors } : { errors: [errors] };
    return Promise.race([next.then(({ value }) => value, refused), pause]);
  };
  // A request that cannot be watched takes no place.
  for (let times = 0; times < 5; times++) {
    expect(await open(clients[0], 'prod_x')).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
  }
  const many = { errors: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }] };
  expect(await open(clients[0])).toBe('open');
  expect(await open(clients[0])).toBe('open');
  expect(await open(clients[0])).toMatchObject(many);
  expect(await open(clients[1])).toBe('open');
  expect(await open(clients[1])).toMatchObject(many);
  expect(await open(clients[2])).toMatchObject({
    errors: [{ code: 4429, reason: 'Too many sockets of this key' }],
  });
  for (const client of clients) await client.dispose();
});

test('an address has so many live subscriptions over SSE, whatever their keys', async ({
  url,
  session,
}) => {
  const sse = async (key: string, address: string) => {
    const leaving = new AbortController();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: key,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'x-forwarded-for': address,
      },
      body: '{"query":"subscription { events(after: 0) { sequence } }"}',
      signal: leaving.signal,
    });
    const first = await response.body?.getReader().read();
    return { text: Buffer.from(first?.value ?? []).toString(), leave: () => leaving.abort() };
  };
  const keys = [await aKey(session, 'secret'), await aKey(session, 'secret')] as const;
  const first = await sse(keys[0], '192.0.2.7');
  const second = await sse(keys[1], '192.0.2.7');
  for (const { text } of [first, second]) expect(text).not.toContain('TOO_MANY');
  const third = await sse(await aKey(session, 'secret'), '192.0.2.7');
  expect(third.text).toContain('TOO_MANY_REQUESTS');
  expect(third.text).toContain('This address has 2 live subscriptions over SSE, its limit');
  // Neither another address is refused, nor the network of 64 bits of an IPv6 address taken for many.
  const v6 = await sse(await aKey(session, 'secret'), '2001:db8::1');
  const v6Again = await sse(await aKey(session, 'secret'), '2001:db8::2');
  for (const { text } of [v6, v6Again]) expect(text).not.toContain('TOO_MANY');
  const v6Third = await sse(await aKey(session, 'secret'), '2001:db8::3');
  expect(v6Third.text).toContain('TOO_MANY_REQUESTS');

  // A stream that ends frees its place, for its key, too.
  first.leave();
  const key = await aKey(session, 'secret');
  const opened = async () => {
    const stream = await sse(key, '192.0.2.7');
    return !stream.text.includes('TOO_MANY');
  };
  await expect.poll(opened).toBe(true);
  for (const { leave } of [second, v6, v6Again]) leave();
});

test('an address has so many sockets, also without a key', async ({ url }) => {
  const sockets: WebSocket[] = [];
  const open = (address: string) =>
    new Promise<number | 'open'>((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        headers: { 'x-forwarded-for': address },
      });
      sockets.push(socket);
      socket.on('close', resolve);
      socket.on('error', () => {});
      // The answer to a ping shows that the socket was let in.
      socket.on('open', () => socket.send('{"type":"ping"}'));
      socket.on('message', () => resolve('open'));
    });
  for (let times = 0; times < 4; times++) expect(await open('192.0.2.8')).toBe('open');
  expect(await open('192.0.2.8')).toBe(4429);
  expect(await open('192.0.2.9')).toBe('open');
  sockets[0]?.terminate();
  await expect.poll(() => open('192.0.2.8')).toBe('open');
  for (const socket of sockets) socket.terminate();
});

test('a socket that sends too many messages is closed, and so is one that sends much before its key', async ({
  url,
}) => {
  const closed = (send: (socket: WebSocket) => void) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      socket.on('open', () => send(socket));
      socket.on('close', resolve);
      socket.on('error', () => {});
    });
  const flood = (socket: WebSocket) => {
    for (let times = 0; times < 5_000; times++) socket.send('{"type":"ping"}');
  };
  expect(await closed(flood)).toBe(4429);
  expect(await closed((socket) => socket.send('['.repeat(100_000)))).toBe(1009);
});

test('a bucket is empty after its burst and fills with time', () => {
  const limit = new RateLimit({ perSecond: 10, burst: 3 });
  const taken = [0, 0, 0, 0].map((at) => limit.take('a', at));
  expect(taken).toEqual([0, 0, 0, 1]);
  expect(limit.take('b', 0)).toBe(0);
  expect(limit.take('a', 100)).toBe(0);
  expect(limit.take('a', 100)).toBe(1);
  expect(new RateLimit({ perSecond: 0, burst: 0 }).take('a', 0)).toBe(0);
});
