import { getIntrospectionQuery } from 'graphql';
import pg from 'pg';
import { expect } from 'vitest';
import { createLogger } from '#server/logger.ts';
import { limits } from '#server/use-limits.ts';
import { createGateway } from '#server/yoga.ts';
import { anAdjustable } from '../support/adjustments.ts';
import { aUsageMeter } from '../support/factories.ts';
import { apiOf, graphqlOf, test } from '../support/test.ts';

const message = (text: string) => ({
  errors: [{ message: expect.stringContaining(text), extensions: { code: 'BAD_REQUEST' } }],
});

test('a document that is too deep is refused', async ({ graphql }) => {
  const deep = `${'product { prices { '.repeat(8)}id${' } }'.repeat(8)}`;
  expect(await graphql(`{ prices { nodes { ${deep} } } }`)).toMatchObject(message('depth'));
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
  const prices = '{ nodes { id name slug product { id prices { id unitPrice } } } }';
  const lists = Array.from({ length: 20 }, (_, n) => `l${n}: prices(first: 100) ${prices}`);
  expect(await graphql(`{ ${lists.join(' ')} }`)).toMatchObject(message('Cost limit'));
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
    for (const accept of ['application/json', 'text/html']) {
      const response = await gateway.fetch(`http://test${address}`, {
        headers: { authorization: tenant.key, accept },
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', issues: [] });
    }
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

test('an operation that takes too long is given up, over GraphQL and over REST, and says so', async ({
  database,
  hub,
  session,
  tenant,
}) => {
  const meter = await aUsageMeter(session);
  const parts = { orm: database.orm, hub, logger: createLogger('silent'), production: true };
  const hasty = createGateway({ ...parts, operationTimeLimitSeconds: 0.05 });
  // Another connection holds the row, so the command waits for it, and would for ever.
  const other = new pg.Client({ connectionString: database.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from usage_meter where id = $1 for update', [meter.id]);
  const { errors } = await graphqlOf(
    hasty,
    tenant.key,
  )(`mutation { updateUsageMeter(id: "${meter.id}", usageMeter: { name: "Late" }) { id } }`);
  expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
  const put = { usageMeter: { name: 'Late' } };
  expect(await apiOf(hasty, tenant.key)('PUT', `/usage-meters/${meter.id}`, put)).toMatchObject({
    status: 503,
    body: { code: 'SERVICE_UNAVAILABLE', issues: [] },
  });
  await other.end();
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
    const update = `mutation { updateUsageMeter(id: "${meter.id}", usageMeter: { name: "X" }) { id } }`;
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
