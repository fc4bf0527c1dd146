import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '#config';
import { endpointOf } from '#rest/engine/endpoint.ts';
import { routes } from '#rest/index.ts';
import { schema } from '#schema/index.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { aCustomer, aSubscription } from '../../support/factories.ts';
import { aKey } from '../../support/tenant.ts';
import { apiOf, testAlone } from '../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const list = (start: string, item: string, count: number, end: string) =>
  `${start}${Array.from({ length: count }, () => item).join(',')}${end}`;

test.for(routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => [method, path]))(
  '%s %s: a publishable key is refused, whatever it sends, and its body is not read once the key is known',
  async ([method = '', path = ''], { gateway, session }) => {
    const key = await aKey(session, 'publishable');
    const kibibyte = Buffer.alloc(1024, ' ');
    const send = async () => {
      let kibibytes = 0;
      const pull = (controller: ReadableStreamDefaultController) => {
        if (kibibytes === 1024) return controller.close();
        controller.enqueue(kibibyte);
        kibibytes += 1;
      };
      const request = {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: new ReadableStream({ pull }, { highWaterMark: 0 }),
        duplex: 'half',
      } as RequestInit;
      const address = `http://test/api/v1${path.replaceAll(/:\w+/g, 'x')}`;
      const response = await gateway.fetch(address, request);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'FORBIDDEN', issues: [] });
      return kibibytes;
    };
    // Who sends is asked after 64 KiB at the latest; streams read ahead by as much again.
    expect(await send()).toBeLessThanOrEqual(129);
    expect(await send()).toBe(0);
  },
);

test('a request without a body is refused where each of its fields may be absent', async ({
  api,
}) => {
  const open = routes.filter((route) => endpointOf(route, schema).choices.length > 0);
  const paths = open.map(({ path }) => path);
  const all = ['/payments/:id/refund', '/reservations/:id/confirm', '/invoices/:id/pay'];
  const more = ['/subscription-item-features/:id/expire', '/remittances/:id/cancel'];
  expect(paths).toEqual(expect.arrayContaining([...all, ...more]));
  for (const { method, path } of open) {
    const address = path.replaceAll(/:\w+/g, 'x');
    for (const nothing of [undefined, '', ' \n']) {
      expect(await api(method, address, nothing), path).toMatchObject({
        status: 400,
        body: { message: 'The request has no body' },
      });
    }
    expect((await api(method, address, {})).body.message).not.toBe('The request has no body');
  }
});

test.for([
  [
    '/webhooks',
    list('{"webhook":{"name":"a","url":"https://a.example","filterTypes":[', '1', 300, ']}}'),
    'filterTypes: must have at most',
  ],
  ['/products', list('{"featureIds":[', '{}', 100_000, ']}'), 'featureIds: must have at most'],
  [
    '/usage-events/bulk',
    list('{"usageEvents":[', '{}', 10_001, ']}'),
    'usageEvents: must have at most',
  ],
] as const)(
  '%s: a list that is too long is refused by its length',
  async ([path, body, issue], { api }) => {
    const answer = await api('POST', path, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const messages = answer.body.issues.map(({ message }: { message: string }) => message);
    expect(messages).toContainEqual(expect.stringContaining(issue));
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
  },
);

test.for([
  '{}',
  '1',
  '{"subscriptionId":1,"amount":{}}',
  '{"subscriptionId":"x","amount":-1,"transactionId":""}',
])('issues end at 100, and the message says that there are more (%s)', async (event, { api }) => {
  const answer = await api(
    'POST',
    '/usage-events/bulk',
    list('{"usageEvents":[', event, 9_999, ']}'),
  );
  expect(answer.status).toBe(400);
  expect(answer.body.issues).toHaveLength(100);
  expect(answer.body.message).toContain('the first 100 issues, there are more');
});

test('issues below 100 are all there are', async ({ api }) => {
  const { body } = await api(
    'POST',
    '/usage-events/bulk',
    list('{"usageEvents":[', '1', 100, ']}'),
  );
  expect(body.issues).toHaveLength(100);
  expect(body.message).toBe('Invalid input data');
});

test.for([150_000, 99_000])('%i empty external ids are a 400', async (count, { api, session }) => {
  const { id } = await aSubscription(session);
  const body = list('{"resourceSlug":"seats","externalIds":[', '""', count, ']}');
  const answer = await api('POST', `/resource-claims/${id}/claim`, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(answer.body.issues.length).toBeLessThanOrEqual(100);
});

test('dry runs have a share of the connections, and too many of them are asked to come again', async ({
  database: { orm },
  hub,
  tenant,
}) => {
  const { limits } = readConfig({ LONG_WORK_CONNECTIONS: '1', LONG_WORK_WAITING: '1' });
  const logger = createLogger('silent');
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30, limits };
  const api = apiOf(createGateway(parts), tenant.key);
  const resource = { name: 'Seats', slug: 'seats' };
  const headers = { prefer: 'dry-run' };
  const dry = () => api('POST', '/resources', { resource }, { headers });
  const answers = await Promise.all(Array.from({ length: 12 }, dry));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  const refused = answers.find(({ status }) => status === 503);
  expect(refused?.headers.get('retry-after')).toBe('5');
  expect(refused?.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', issues: [] });
  expect((await dry()).status).toBe(200);
});

test('previews of documents have the same share, and those of one operation take turns', async ({
  database: { orm, databaseUrl },
  hub,
  tenant,
  session,
}) => {
  const { limits } = readConfig({ LONG_WORK_CONNECTIONS: '1', LONG_WORK_WAITING: '0' });
  const logger = createLogger('silent');
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30, limits };
  const gateway = createGateway(parts);
  const api = apiOf(gateway, tenant.key);
  const { id } = await aCustomer(session);
  const preview = () => api('GET', `/customers/${id}/upcoming-consolidated-invoice`);
  const answers = await Promise.all(Array.from({ length: 6 }, preview));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect((await preview()).status).toBe(200);

  const names = ['a', 'b', 'c', 'd'];
  const fields = names.map(
    (name) => `${name}: upcomingConsolidatedInvoice(customer: "${id}") { customerId }`,
  );
  const query = `{ ...Long } fragment Long on Query { ${fields.join(' ')} }`;
  const waiting = async () => {
    const [row] = await orm.em.fork().execute<[{ there: number }]>(
      `select count(*)::int as there from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row.there;
  };
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('begin; lock table subscription in access exclusive mode');
  const response = gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: { authorization: tenant.key, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  await expect.poll(waiting).toBeGreaterThan(0);
  const counts: number[] = [];
  for (let look = 0; look < 50; look++) counts.push(await waiting());
  await other.query('rollback');
  expect(await (await response).json()).toEqual({
    data: Object.fromEntries(names.map((name) => [name, { customerId: id }])),
  });
  expect(Math.max(...counts)).toBe(1);
});
