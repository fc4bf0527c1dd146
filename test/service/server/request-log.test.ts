import { expect } from 'vitest';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { hashCredential, newCredential } from '#domain/platform/access/credential.ts';
import { loggedPaths } from '#server/request-log/logged-path.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { aCustomer } from '../../support/factories.ts';
import { linesTo } from '../../support/log.ts';
import { aKey } from '../../support/tenant.ts';
import { test as base, graphqlOf } from '../../support/test.ts';

const test = base.extend('logged', ({ database, hub }) => {
  const lines: Record<string, unknown>[] = [];
  const logger = linesTo(lines);
  const parts = { orm: database.orm, hub, logger, production: false };
  const gateway = createGateway({ ...parts, operationTimeLimitSeconds: 30 });
  return { lines, gateway, logger };
});

test('a line names the key, its organization, the operation and its fields, without arguments', async ({
  logged: { lines, gateway },
  tenant,
  session,
}) => {
  const graphql = graphqlOf(gateway, tenant.key);
  await graphql(
    'mutation M { a: createResource(resource: { slug: "s", name: "Jane Private" }) { resource { id } } ...F } fragment F on Mutation { b: revokeApiKey(id: "apikey_none") { apiKey { id } } }',
  );
  expect(lines).toMatchObject([
    {
      method: 'POST',
      path: '/graphql',
      apiKeyId: session.apiKeyId,
      organizationId: session.organizationId,
      operation: 'mutation createResource revokeApiKey',
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('Jane');
});

test('a value that a scalar refuses is in the answer, and neither an error nor its text is in the log', async ({
  logged: { lines, gateway },
  tenant,
}) => {
  const graphql = graphqlOf(gateway, tenant.key);
  const { errors } = await graphql(
    'query ($at: Timestamp) { customers(where: { createdAt: { from: $at } }) { totalCount } }',
    { at: 'Jane Private' },
  );
  expect(errors).toHaveLength(1);
  // A slow request is a warning.
  expect(lines).toMatchObject([{ method: 'POST', level: expect.toBeOneOf([30, 40]) }]);
  expect(JSON.stringify(lines)).not.toContain('Jane');
});

test('paths show routes and ids of ours, and no external ids or unknown paths', async ({
  logged: { lines, gateway },
  session,
  tenant,
}) => {
  const { id } = await aCustomer(session, { externalId: 'jane@example.com' });
  const get = (path: string) =>
    gateway.fetch(`http://test${path}`, { headers: { authorization: `Bearer ${tenant.key}` } });
  await get('/api/v1/customers/jane%40example.com/billing?secret=1');
  await get(`/api/v1/customers/${id}`);
  await get('/api/v1/jane@example.com');
  await get('/jane');
  expect(lines.map(({ path }) => path)).toEqual([
    '/api/v1/customers/*/billing',
    `/api/v1/customers/${id}`,
    '/api/v1/*',
    '/*',
  ]);
  expect(loggedPaths([])('http://h/documents/invoice/inv_123456789012345678901#jane')).toBe(
    '/documents/invoice/inv_123456789012345678901',
  );
  for (const secret of [
    '/sandbox/pages/sandbox_page_123456789012345678901',
    '/portal/in/ct_test_x.y.z',
    '/portal/open/cust_x.1.a',
    '/mail-switch/cust_x.alert.b',
    `/auth/invitations/${'a'.repeat(43)}`,
    '/checkout/chckt_session_123456789012345678901?key=c',
  ]) {
    const own = loggedPaths([])(`http://h${secret}`);
    expect(own).toMatch(/\/(\*|chckt_session_\d+)$/);
  }
});

test('U+0000 in an id, a filter or a text is a refusal, and no error in the log', async ({
  logged: { lines, gateway },
  tenant,
}) => {
  const graphql = graphqlOf(gateway, tenant.key);
  const asks = [
    'query($text: ID!) { product(id: $text) { id } }',
    'query($text: ID!) { node(id: $text) { id } }',
    'query($text: ID!) { invoice(id: $text) { id } }',
    'query($text: ID!) { events(where: { object: { is: $text } }) { nodes { id } } }',
    'mutation($text: ID!) { revokeApiKey(id: $text) { apiKey { id } } }',
    'mutation($text: ID!) { payInvoice(id: $text) { invoice { id } } }',
  ];
  for (const query of asks) await graphql(query, { text: 'a\0b' });
  for (const path of ['/products/a%00b', '/customers/a%00b', '/events?objectId=a%00b']) {
    const { status } = await gateway.fetch(`http://test/api/v1${path}`, {
      headers: { authorization: tenant.key },
    });
    expect(status).toBeLessThan(500);
  }
  expect(lines).toHaveLength(asks.length + 3);
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test('a refused key is a warning that states why, and which key it is where that is known', async ({
  logged: { lines, gateway },
  database,
  session,
}) => {
  const em = database.orm.em.fork();
  const change = async (changes: object) => {
    const key = await aKey(session, 'secret');
    const where = { hashText: hashCredential(key) };
    const { id } = await em.findOneOrFail(ApiKey, where, { filters: false });
    await em.nativeUpdate(ApiKey, { id }, changes, { filters: false });
    return { key, id };
  };
  const revoked = await change({ active: false });
  const expired = await change({ expiresAt: new Date(0) });
  for (const authorization of [
    undefined,
    'Bearer nonsense',
    newCredential('secret', false, session.organizationId),
    revoked.key,
    expired.key,
  ]) {
    for (const path of ['/api/v1/products', '/graphql?query={__typename}']) {
      const { status } = await gateway.fetch(`http://test${path}`, {
        headers: { ...(authorization && { authorization }), accept: 'application/json' },
      });
      expect(status).toBe(401);
    }
  }
  expect(lines.every(({ level, status }) => level === 40 && status === 401)).toBe(true);
  const shown = lines.map(({ authentication, apiKeyId }) => [authentication, apiKeyId]);
  expect(shown).toEqual(
    [['missing'], ['malformed'], ['unknown'], ['revoked', revoked.id], ['expired', expired.id]]
      .map(([reason, id]) => [reason, id])
      .flatMap((line) => [line, line]),
  );
});

test('a line has the address of the client, also for WebSocket connects, operations and closes', async ({
  logged: { lines, gateway, logger },
  hub,
  tenant,
  session,
}) => {
  await using server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub, { logger });
  await fetch(`${server.url}/api/v1/products`, {
    headers: { authorization: tenant.key, 'x-forwarded-for': '203.0.113.7' },
  });
  expect(lines.pop()).toMatchObject({ address: '127.0.0.1', forwardedFor: '203.0.113.7' });

  const exchange = async (authorization: string, ...messages: object[]) => {
    const socket = new WebSocket(server.url.replace('http', 'ws').concat('/graphql'), [
      'graphql-transport-ws',
    ]);
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    });
    socket.addEventListener('message', ({ data }) => {
      const { type } = JSON.parse(data);
      if (type === 'connection_ack') for (const one of messages) socket.send(JSON.stringify(one));
      if (type === 'complete') socket.close(1000);
    });
    await closed;
  };
  const query =
    'mutation { createResource(resource: { slug: "over-ws", name: "S" }) { resource { id } } }';
  await exchange(tenant.key, { id: '1', type: 'subscribe', payload: { query } });
  await exchange('nonsense');
  await expect.poll(() => lines.length).toBe(5);
  const { apiKeyId } = session;
  expect(lines).toMatchObject([
    { websocket: 'connected', apiKeyId, address: '127.0.0.1' },
    { operation: 'mutation createResource', apiKeyId },
    { websocket: 'closed', apiKeyId, code: 1000, operations: 1 },
    { level: 40, websocket: 'refused', authentication: 'malformed', address: '127.0.0.1' },
    { websocket: 'closed', code: 4403 },
  ]);
  const { data } = await graphqlOf(
    gateway,
    tenant.key,
  )('{ events(types: ["resource.created"]) { nodes { causeId actor { type id } } } }');
  expect(data.events.nodes).toEqual([
    { causeId: lines[0]?.requestId, actor: { type: 'api_key', id: apiKeyId } },
  ]);
});

test('a slow request leaves a warning that states how much of its time the database took', async ({
  database: { orm },
  hub,
  tenant,
}) => {
  const lines: Record<string, unknown>[] = [];
  const logger = linesTo(lines);
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30 };
  const serve = (slowRequestMilliseconds: number) =>
    startServer(
      createGateway({ ...parts, slowRequestMilliseconds }),
      { host: '127.0.0.1', port: 0 },
      hub,
    );
  const authorization = `Bearer ${tenant.key}`;
  const request = async (url: string) =>
    (await fetch(`${url}/api/v1/products`, { headers: { authorization } })).status;
  const slowLines = () => lines.filter(({ msg }) => msg === 'Slow request');

  await using slow = await serve(0);
  expect(await request(slow.url)).toBe(200);
  await expect.poll(slowLines).toHaveLength(1);
  const [line = {}] = slowLines();
  expect(line).toMatchObject({ method: 'GET', path: '/api/v1/products', level: 40 });
  const { statements, databaseMilliseconds, milliseconds } = line as Record<string, number>;
  expect(statements).toBeGreaterThan(0);
  expect(databaseMilliseconds).toBeGreaterThan(0);
  expect(databaseMilliseconds).toBeLessThanOrEqual((milliseconds ?? 0) * (statements ?? 0));

  await using quick = await serve(60_000);
  expect(await request(quick.url)).toBe(200);
  expect(slowLines()).toHaveLength(1);
});
