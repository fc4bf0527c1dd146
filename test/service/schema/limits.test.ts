// @module-tag long
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { getIntrospectionQuery } from 'graphql';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { readConfig } from '#config';
import { limits } from '#server/limits/use-limits.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { anAdjustable } from '../../support/adjustments.ts';
import { aUsageMeter } from '../../support/factories.ts';
import { aKey } from '../../support/tenant.ts';
import { apiOf, graphqlOf, testAlone } from '../../support/test.ts';
import { serve, socketOf } from '../../system/clients/service.ts';

const test = testAlone('it changes the database or its connections');

const message = (text: string) => ({
  errors: [{ message: expect.stringContaining(text), extensions: { code: 'BAD_REQUEST' } }],
});

test('a document that is too deep is refused', async ({ graphql }) => {
  const deep = `${'billingPeriods { nodes { subscription { '.repeat(8)}id${' } } }'.repeat(8)}`;
  const query = `query($id: ID!) { subscription(id: $id) { ${deep.replaceAll('billingPeriods', 'billingPeriods(first: 1)')} } }`;
  expect(await graphql(query, { id: 'sub_x' })).toMatchObject(message('depth'));
});

test('a document with too many aliases is refused', async ({ graphql }) => {
  const aliases = Array.from({ length: limits.aliases + 1 }, (_, n) => `a${n}: __typename`);
  expect(await graphql(`{ ${aliases.join(' ')} }`)).toMatchObject(message('liases'));
});

test('a document with too many tokens is refused before it is parsed', async ({ graphql }) => {
  const words = '__typename '.repeat(limits.tokens + 1);
  expect(await graphql(`{ ${words} }`)).toMatchObject(message('oken'));
});

test('a document that costs too much is refused', async ({ graphql }) => {
  const query = (first: number) =>
    `{ customers(first: 100) { nodes { subscriptionsPage(first: 100) { nodes { billingPeriods(first: ${first}) { nodes { id } } } } } } }`;
  expect(await graphql(query(100))).toMatchObject(message('The cost'));
  expect((await graphql(query(1))).errors).toBeUndefined();
});

test('a page size counts as well where it is a variable', async ({ graphql }) => {
  const query = `query($n: Int, $m: Int = 100) { customers(first: $n) { nodes { currentSubscriptions {
    billingPeriods(first: $n) { nodes { subscription { billingPeriods(first: $m) { nodes { id } } } } } } } } }`;
  expect(await graphql(query, { n: 100 })).toMatchObject(message('The cost'));
  expect((await graphql(query, { n: 5, m: 1 })).errors).toBeUndefined();
});

test('a list without pages is not read within itself', async ({ graphql, tenant, session }) => {
  const query = '{ products { nodes { prices { product { prices { id } } } } } }';
  const key = await aKey(session, 'publishable');
  expect(await graphql(query)).toMatchObject(message('Product.prices'));
  expect(await graphql(query, {}, { key })).toMatchObject(message('Product.prices'));
  expect(tenant.key).not.toBe(key);
});

test('a publishable key asks for less', async ({ graphql, session }) => {
  const key = await aKey(session, 'publishable');
  const ask = (query: string) => graphql(query, {}, { key });
  const catalog = (first: number) =>
    `{ products(first: ${first}) { nodes { name prices { id } features { slug } } } }`;
  expect((await ask(catalog(20))).errors).toBeUndefined();
  expect(await ask(catalog(100))).toMatchObject(message('The cost'));
  const deep =
    '{ pricingModels(first: 1) { nodes { products { defaultPrice { usageMeter { defaultPrice { id } } } } } } }';
  expect(await ask(deep)).toMatchObject(message('depth'));
});

test.for([
  ['the same field many times', `{ ${'products { totalCount } '.repeat(300)} }`],
  [
    'fragments that grow with each other',
    `{ ...F0 } ${Array.from({ length: 12 }, (_, n) => `fragment F${n} on Query { node(id: "x") { a${n}: id } products { nodes { prices { product { ...G } } } } ...F${n + 1} }`).join(' ')} fragment F12 on Query { __typename } fragment G on Product { ${'prices { product { ...G } } '.repeat(3)} }`,
  ],
] as const)('%s: refused before it is validated', async ([, query], { graphql }) => {
  const started = performance.now();
  expect(await graphql(query)).toMatchObject(message(''));
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('an execution ends when it has resolved as many fields as it may', async ({
  database,
  hub,
  tenant,
}) => {
  const { limits } = readConfig({ GRAPHQL_FIELDS_SECRET: '20' });
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const small = createGateway({ ...parts, limits, operationTimeLimitSeconds: 30 });
  const ask = graphqlOf(small, tenant.key);
  const one = '{ organization { id name } }';
  expect((await ask(one)).errors).toBeUndefined();
  const many = Array.from({ length: 10 }, (_, n) => `a${n}: organization { id name }`);
  // Each root field is nullable, so each refused one has its error.
  const { errors } = await ask(`{ ${many.join(' ')} }`);
  expect({ errors: errors.slice(0, 1) }).toMatchObject(message('more than 20 fields'));
});

test('an execution that ends within a list leaves no rejection that nothing waits for', async ({
  database,
  hub,
  tenant,
  session,
}) => {
  for (let n = 0; n < 8; n++) await aUsageMeter(session);
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const query = '{ usageMeters { nodes { id pricesPage { nodes { id name } } name } } }';
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
  try {
    for (let fields = 5; fields <= 40; fields += 3) {
      const { limits } = readConfig({ GRAPHQL_FIELDS_SECRET: String(fields) });
      const small = createGateway({ ...parts, limits, operationTimeLimitSeconds: 30 });
      const { errors } = await graphqlOf(small, tenant.key)(query);
      const first = message(`more than ${fields} fields`);
      expect({ errors: errors.slice(0, 1) }).toMatchObject(first);
      await setImmediate();
    }
  } finally {
    process.removeListener('unhandledRejection', note);
    for (const other of others) process.on('unhandledRejection', other);
  }
  expect(unhandled).toEqual([]);
});

describe('with a wrong key', () => {
  const typo = '{ prodcts { nodes { id } } }';
  const key = 'sk_test_unknown_key_unknown_key';

  test.for(['application/json', 'application/graphql-response+json', 'text/event-stream'])(
    'no field is suggested in %s',
    async (accept, { gateway }) => {
      const headers = { authorization: key, accept, 'content-type': 'application/json' };
      const url = 'http://test/graphql';
      const answers = [
        await gateway.fetch(url, {
          method: 'POST',
          headers,
          body: JSON.stringify({ query: typo }),
        }),
        await gateway.fetch(`${url}?${new URLSearchParams({ query: typo })}`, { headers }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(401);
        expect(await answer.text()).not.toMatch(/Did you mean|prodcts|products/);
      }
    },
  );

  test('no field is suggested over WebSocket, and a valid key gets the suggestion', async ({
    database,
    hub,
    tenant,
  }) => {
    await using server = await serve(database.orm, hub);
    const ask = async (key: string) => {
      const client = socketOf(server.url, key);
      const result = await client
        .iterate({ query: typo })
        .next()
        .catch((error: unknown) => error);
      await client.dispose();
      return result;
    };
    expect(await ask(key)).toMatchObject({ code: 4403 });
    expect(await ask(tenant.key)).toMatchObject([
      { message: expect.stringContaining('Did you mean "products"') },
    ]);
  });

  test('the schema can be read in development', async ({ gateway }) => {
    const response = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify({ query: getIntrospectionQuery() }),
    });
    expect((await response.json()).data.__schema.types.length).toBeGreaterThan(100);
  });
});

describe('without a key', () => {
  test.for([
    ['nothing is parsed', 'application/json', '{ nonsense', 401],
    ['no field is suggested', 'application/json', '{"query": "{ prodcts }"}', 401],
    ['no form is read', 'multipart/form-data; boundary=x', '--x--', 401],
  ] as const)('%s', async ([, type, body, status], { gateway }) => {
    const headers = { 'content-type': type };
    const request = { method: 'POST', headers, body };
    const response = await gateway.fetch('http://test/graphql', request);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('products');
  });
});

test.for([
  ['multipart/form-data; boundary=x', '--x--', 415],
  ['application/x-www-form-urlencoded', 'query={__typename}', 415],
  ['application/graphql', '{ __typename }', 415],
  ['text/plain', '{"query": "{ __typename }"}', 415],
  ['application/json', `{"query": "{ __typename } #${'x'.repeat(40_000)}"}`, 200],
  ['application/json', `{"query": "{ __typename }", "variables": ${'['.repeat(200)}`, 400],
] as const)('a body of %s (%s): %i', async ([type, body, status], { gateway, tenant }) => {
  const headers = { authorization: tenant.key, 'content-type': type };
  const response = await gateway.fetch('http://test/graphql', { method: 'POST', headers, body });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject(message(''));
});

test('a compressed body is refused', async ({ gateway, tenant, api }) => {
  const headers = {
    authorization: tenant.key,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  const request = { method: 'POST', headers, body: '{"query": "{ __typename }"}' };
  const response = await gateway.fetch('http://test/graphql', request);
  expect(response.status).toBe(400);
  expect(
    await api('POST', '/products', {}, { headers: { 'content-encoding': 'br' } }),
  ).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', message: expect.stringContaining('Content-Encoding br') },
  });
});

test('what a person would ask for is within the limits', async ({ graphql }) => {
  const { errors } = await graphql(`{
    pricingModels(first: 100) { nodes {
      id name isDefault
      products { id name slug defaultPrice { id unitPrice currency } prices { id } features { id slug } }
      usageMeters { id slug prices { id unitPrice usageEventsPerUnit } defaultPrice { id } }
    } totalCount }
  }`);
  expect(errors).toBeUndefined();
});

test('the introspection that tools make is within the limits', async ({ graphql }) => {
  const { data, errors } = await graphql(getIntrospectionQuery());
  expect(errors).toBeUndefined();
  expect(data.__schema.types.length).toBeGreaterThan(20);
});

test.for([0, -1, 101, 1_000_000])('a page of %i rows is refused', async (first, { graphql }) => {
  expect(
    await graphql('query($first: Int) { products(first: $first) { nodes { id } } }', { first }),
  ).toMatchObject({
    errors: [
      {
        extensions: {
          code: 'BAD_REQUEST',
          issues: [{ path: ['first'], message: 'must be from 1 to 100' }],
        },
      },
    ],
  });
});

test('several operations in one request are refused', async ({ gateway, tenant }) => {
  const response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: { authorization: tenant.key, 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]),
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('atching');
});

// No other address leads to the graph, although Yoga itself takes whatever ends like this.
test.for(['/any/graphql', '/any?x=/graphql', '//graphql', '/GraphQL'])(
  '%s is not the graph',
  async (address, { gateway, tenant }) => {
    const answered = async (accept: string) => {
      const headers = { authorization: tenant.key, accept };
      const response = await gateway.fetch(`http://test${address}`, { headers });
      expect(response.status).toBe(404);
      return response;
    };
    const answer = await answered('application/json');
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND', issues: [] });
    expect(await (await answered('text/html')).text()).toContain('There is no such page');
  },
);

const addresses = ['/graphql', '/graphql/'];

test.for(
  addresses.flatMap((address) => [true, false].map((announced) => [address, announced] as const)),
)(
  'a request of more than 1 MiB to %s is refused, its size announced: %s',
  async ([address, announced], { gateway, tenant }) => {
    const body = JSON.stringify({ query: `{ __typename } # ${'x'.repeat(1_100_000)}` });
    const response = await gateway.fetch(`http://test${address}`, {
      method: 'POST',
      headers: {
        authorization: tenant.key,
        'content-type': 'application/json',
        ...(announced && { 'content-length': String(body.length) }),
      },
      body,
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject(message('larger than 1048576 bytes'));
  },
);

test('a request whose size is not announced is read like any other', async ({
  gateway,
  tenant,
}) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"query": "{ __type'));
      controller.enqueue(new TextEncoder().encode('name }"}'));
      controller.close();
    },
  });
  const response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: { authorization: tenant.key, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit);
  expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
});

test('an operation that takes too long is given up, over GraphQL and over REST, and states so', async ({
  database,
  hub,
  session,
  tenant,
}) => {
  const meter = await aUsageMeter(session);
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const hasty = createGateway({ ...parts, operationTimeLimitSeconds: 0.05 });
  // Another connection locks the row, so the command waits for it, and would for ever.
  const other = new pg.Client({ connectionString: database.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from usage_meter where id = $1 for update', [meter.id]);
  const { errors } = await graphqlOf(
    hasty,
    tenant.key,
  )(
    `mutation { updateUsageMeter(id: "${meter.id}", usageMeter: { name: "Late" }) { usageMeter { id } } }`,
  );
  expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
  const put = { usageMeter: { name: 'Late' } };
  expect(await apiOf(hasty, tenant.key)('PUT', `/usage-meters/${meter.id}`, put)).toMatchObject({
    status: 503,
    body: { code: 'SERVICE_UNAVAILABLE', issues: [] },
  });
  await other.end();
});

test('an operation with an Idempotency-Key that takes too long is given up, happens once, and a repeat has its answer', async ({
  database,
  hub,
  session,
  tenant,
}) => {
  const meter = await aUsageMeter(session);
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const hasty = createGateway({ ...parts, operationTimeLimitSeconds: 0.3 });
  const other = new pg.Client({ connectionString: database.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from usage_meter where id = $1 for update', [meter.id]);
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const rename = () =>
    apiOf(hasty, tenant.key)(
      'PUT',
      `/usage-meters/${meter.id}`,
      { usageMeter: { name: 'Late' } },
      { headers },
    );
  const givenUp = { status: 503, body: { code: 'SERVICE_UNAVAILABLE', issues: [] } };
  expect(await rename()).toMatchObject(givenUp);
  // A repeat waits for the first one, and no longer than any other operation.
  expect(await rename()).toMatchObject(givenUp);
  await other.query('rollback');
  await other.end();
  const repeat = async () => {
    const { status, headers } = await rename();
    return [status, headers.get('idempotent-replayed')];
  };
  await expect.poll(repeat).toEqual([200, 'true']);
  const { body } = await apiOf(hasty, tenant.key)('GET', `/events?objectId=${meter.id}`);
  const types = body.data.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['usage_meter.created', 'usage_meter.updated']);
});

test('without a key the answer is 401 with its code, and nothing is executed', async ({
  gateway,
}) => {
  const response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ products { nodes { id } } }' }),
  });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    errors: [{ message: 'Authorization not provided', extensions: { code: 'UNAUTHORIZED' } }],
  });
});

test('an unexpected failure is not described to the caller', async ({ graphql, session }) => {
  const meter = await aUsageMeter(session);
  await session.em.execute('alter table usage_meter rename to gone');
  try {
    const update = `mutation { updateUsageMeter(id: "${meter.id}", usageMeter: { name: "X" }) { usageMeter { id } } }`;
    const { errors } = await graphql(update);
    expect(errors).toMatchObject([
      { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ]);
    expect(JSON.stringify(errors)).not.toContain('relation');
  } finally {
    await session.em.execute('alter table gone rename to usage_meter');
  }
});

test('GraphiQL is served from this process alone, and not in production', async ({
  gateway,
  database,
  hub,
}) => {
  const open = (from: typeof gateway) =>
    from.fetch('http://test/graphql', { headers: { accept: 'text/html' } });
  const page = await (await open(gateway)).text();
  expect(page).toContain('query Catalog');
  expect(page).not.toMatch(/(src|href)=["']?https?:/);
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const closed = createGateway({ ...parts, operationTimeLimitSeconds: 5 });
  expect(await (await open(closed)).text()).not.toContain('<html');
});

/** Runs the script of the page's own, with what a browser keeps between two loads; answers what it keeps then. */
function afterLoad(page: string, kept: Record<string, string>, search = '') {
  const [, script = ''] = /<div id="root"><\/div><script>(.*?)<\/script>/s.exec(page) ?? [];
  const items = new Map(Object.entries(kept));
  const localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
  runInNewContext(script, { localStorage, location: { search }, URLSearchParams });
  items.delete('graphiql:tabState');
  return Object.fromEntries(items);
}

test('GraphiQL selects the tab of the last visit, and opens no empty one next to it', async ({
  gateway,
}) => {
  const headers = { accept: 'text/html' };
  const page = await (await gateway.fetch('http://test/graphql', { headers })).text();
  const examples = { query: 'query Catalog', variables: null, headers: '{"a": "b"}' };
  const edited = { query: '{ node }', variables: '{"id": 1}', headers: null };
  const kept = (activeTabIndex: number) => ({
    'graphiql:tabState': JSON.stringify({ tabs: [examples, edited], activeTabIndex }),
  });
  const ofExamples = { 'graphiql:query': 'query Catalog', 'graphiql:headers': '{"a": "b"}' };
  const ofEdited = { 'graphiql:query': '{ node }', 'graphiql:variables': '{"id": 1}' };
  expect(afterLoad(page, kept(0))).toEqual(ofExamples);
  expect(afterLoad(page, { ...kept(1), ...ofExamples })).toEqual(ofEdited);
  expect(afterLoad(page, kept(0), '?query=%7B+node+%7D')).toEqual(ofEdited);
  // A query that no tab has opens a tab of its own; without tabs there is nothing to select.
  expect(afterLoad(page, kept(0), '?query=%7B+other+%7D')).toEqual({});
  for (const tabState of ['', 'null', '{}', '{"tabs":[],"activeTabIndex":0}']) {
    expect(afterLoad(page, { 'graphiql:tabState': tabState })).toEqual({});
  }
});

test('an adjustment has more time, since it waits for a payment', async ({
  database,
  hub,
  session,
  tenant,
}) => {
  const it = await anAdjustable(session);
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const hasty = createGateway({ ...parts, operationTimeLimitSeconds: 0.001 });
  const adjustment = {
    timing: 'auto',
    newSubscriptionItems: [{ priceId: await it.monthly(2_000) }],
  };
  const post = (path: string) =>
    apiOf(hasty, tenant.key)('POST', `/subscriptions/${it.id}/${path}`, { adjustment });
  expect(await post('preview-adjust')).toMatchObject({ status: 503 });
  expect(await post('adjust')).toMatchObject({ status: 200, body: { isUpgrade: true } });
});
