// @module-tag long
import { connect } from 'node:net';
import type { GraphQLEnumType } from 'graphql';
import { describe, expect } from 'vitest';
import { issueCodes } from '#rest/engine/errors.ts';
import { routes } from '#rest/index.ts';
import { schema } from '#schema/index.ts';
import type { EventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import type { TestDatabase } from '../../support/database.ts';
import { aResource } from '../../support/factories.ts';
import { aTenant } from '../../support/tenant.ts';
import { type Answer, apiOf, testAlone } from '../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const anInvoiceOf = (customerId: string) => ({
  invoice: { customerId, currency: 'USD' },
  invoiceLineItems: [{ quantity: 1, price: 1 }],
});

const seats = { resource: { slug: 'seats', name: 'Seats' } };

/** The documented body: exactly these keys, and of an issue exactly its message. */
function expectRefusal({ status, body, headers }: Answer, expected: number, code: string) {
  expect({ status, body }).toEqual({
    status: expected,
    body: { code, message: expect.stringMatching(/./), issues: expect.any(Array) },
  });
  for (const issue of body.issues) expect(issue).toEqual({ message: expect.stringMatching(/./) });
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}$/);
}

describe('Where there is nothing', () => {
  test.for(['/nothing', '/resources/a/b', '/resources//', '', '//resources', '/Resources'])(
    '404 for «%s»',
    async (path, { api }) => {
      const answer = await api('GET', path);
      expectRefusal(answer, 404, 'NOT_FOUND');
      expect(answer.headers.has('allow')).toBe(false);
    },
  );

  test.for([
    ['DELETE', '/resources', 'GET, POST'],
    ['PATCH', '/resources/x', 'GET, PUT'],
    ['PUT', '/catalogs', 'POST'],
    ['POST', '/api-keys/x', 'GET'],
  ] as const)(
    '404 for %s %s, with the methods that are allowed',
    async ([method, path, allowed], { api }) => {
      const answer = await api(method, path);
      expectRefusal(answer, 404, 'NOT_FOUND');
      expect(answer.headers.get('allow')).toBe(allowed);
    },
  );

  test.for([
    '/resources/%',
    '/resources/%E0%A4%A',
    '/resources/%ff%fe',
    '/%c0%80',
    '/resources/%2e%2e%2f',
    `/resources/${'x'.repeat(5_000)}`,
    '/resources/__proto__',
    '/resources/%ED%A0%80',
  ])('404 for «%.30s», whatever its encoding', async (path, { api }) => {
    expectRefusal(await api('GET', path), 404, 'NOT_FOUND');
  });

  test('404 for an id with a zero character', async ({ api }) => {
    expectRefusal(await api('GET', '/resources/%00'), 404, 'NOT_FOUND');
  });

  test.for(['/api/v1/resources/%E0%A4%A', '/api/v1/nothing?%', '//x/api/v1/nothing'])(
    'over the wire «%s» is a 404 too',
    async (path, { database, hub }) => {
      await using server = await serve(database, hub);
      expect(await send(server.url, path, 'x')).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test('over the wire a Host header that is none tells nothing of what is inside', async ({
    database,
    hub,
  }) => {
    await using server = await serve(database, hub);
    const answer = await send(server.url, '/api/v1/nothing', 'not a [host');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"BAD_REQUEST"');
    expect(answer).not.toContain('node_modules');
  });
});

test('over the wire two Host headers are refused', async ({ database, hub }) => {
  await using server = await serve(database, hub);
  const answer = await send(server.url, '/health', 'one.example\r\nHost: two.example');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('The request must have one Host header');
});

describe('A WebSocket upgrade is answered as a request is', () => {
  test.for([
    ['two Host headers', 'host: one.example\r\nHost: two.example\r\n', 400],
    ['no Host header', '', 400],
    ['an empty Host header', 'host:\r\n', 400],
    ['a Host header that is none', 'host: not a [host\r\n', 400],
    ['one Host header', 'HOST: one.example\r\n', 101],
  ] as const)('%s over the wire', async ([, hosts, status], { database, hub }) => {
    await using server = await serve(database, hub);
    const upgrade =
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n';
    const answer = await sendHead(server.url, `GET /graphql HTTP/1.1\r\n${hosts}${upgrade}`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (status === 400) expect(answer).toContain('The request must have one Host header');
  });
});

test('over the wire a request without Host gets the documented body', async ({ database, hub }) => {
  await using server = await serve(database, hub);
  const answer = await sendHead(server.url, 'GET /health HTTP/1.1\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('The request must have one Host header');
});

test('HTTP/1.0, with which HAProxy checks a server, needs no Host header', async ({
  database,
  hub,
}) => {
  await using server = await serve(database, hub);
  expect(await sendHead(server.url, 'GET /health HTTP/1.0\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  const wrong = await sendHead(server.url, 'GET /health HTTP/1.0\r\nhost: not a [host\r\n');
  expect(wrong).toMatch(/^HTTP\/1\.1 400 /);
});

test('over the wire what is not HTTP gets the documented body too', async ({ database, hub }) => {
  await using server = await serve(database, hub);
  const answer = await send(server.url, '/\u00e9 /', 'x');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":"BAD_REQUEST"');
});

function serve({ orm }: TestDatabase, hub: EventHub) {
  const gateway = createGateway({
    orm,
    hub,
    logger: createLogger('silent'),
    production: true,
    operationTimeLimitSeconds: 30,
  });
  return startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
}

/** One request as it goes over the wire, and the answer likewise. */
const send = (url: string, path: string, host: string) =>
  sendHead(url, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`);

async function sendHead(url: string, head: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(`${head}\r\n`);
  return (await socket.toArray()).join('');
}

describe('A body', () => {
  test.for([
    ['{not json', 'The body is not JSON'],
    ['[1]', 'The body must be a JSON object'],
    ['"text"', 'The body must be a JSON object'],
    ['5', 'The body must be a JSON object'],
    ['null', 'The body must be a JSON object'],
    ['\u0000', 'The body is not JSON'],
  ] as const)('400 for %s', async ([body, message], { api }) => {
    const answer = await api('POST', '/resources', body);
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body).toMatchObject({ message: expect.stringContaining(message), issues: [] });
  });

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    'application/cloudevents+json',
    'application/cloudevents-batch+json; charset=utf-8',
    'application/json-patch+json',
  ])('400 for the content type %s', async (type, { api }) => {
    const answer = await api('POST', '/resources', seats, { headers: { 'content-type': type } });
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.message).toContain('application/json');
  });

  test.for(['application/json; charset=utf-8', 'application/merge-patch+json', 'APPLICATION/JSON'])(
    '200 for the content type %s',
    async (type, { api }) => {
      const answer = await api('POST', '/resources', seats, { headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 200 });
    },
  );

  test('400 beyond 1 MiB, whether its size is announced or not', async ({ api }) => {
    const mebibyte = 1024 * 1024;
    const padded = (bytes: number) => JSON.stringify(seats).padEnd(bytes, ' ');
    for (const size of [mebibyte + 1, 5 * mebibyte]) {
      const body = padded(size);
      expectRefusal(await api('POST', '/resources', body), 400, 'BAD_REQUEST');
      const options = { headers: { 'content-length': String(size) } };
      expectRefusal(await api('POST', '/resources', body, options), 400, 'BAD_REQUEST');
    }
    expect(await api('POST', '/resources', padded(mebibyte))).toMatchObject({ status: 200 });
  });

  test('what streams in without end is answered, and there is an end to reading it', async ({
    gateway,
    tenant,
  }) => {
    let chunks = 0;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(++chunks && 0x20)),
    });
    const response = await gateway.fetch('http://test/api/v1/resources', {
      method: 'POST',
      headers: { authorization: tenant.key, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(400);
    expect(chunks * 64 * 1024).toBeLessThan(40 * 1024 * 1024);
  });

  test('over the wire too much without an announced length gets an answer, not a reset', async ({
    database,
    hub,
  }) => {
    await using server = await serve(database, hub);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const key = (await aTenant(database.orm.em)).key;
    socket.write(
      `POST /api/v1/resources HTTP/1.1\r\nhost: x\r\nauthorization: ${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
    );
    for (let n = 0; n < 60; n++) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    socket.end('0\r\n\r\n');
    const answer = (await socket.toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('larger than 1048576 bytes');
  });

  test('an empty body is an empty object', async ({ api }) => {
    for (const body of ['', ' ', '{}', undefined]) {
      const answer = await api('POST', '/resources', body);
      expectRefusal(answer, 400, 'BAD_REQUEST');
      expect(answer.body.issues).toEqual([{ message: 'resource: is required' }]);
    }
  });

  test('fields that are not known are refused, and null is as good as absent', async ({ api }) => {
    const given = { resource: { ...seats.resource, active: null }, other: null };
    const { resource, ...others } = given;
    const unknown = {
      resource: { ...resource, id: 'mine', colour: 'red' },
      ...others,
      dryRun: true,
    };
    expect((await api('POST', '/resources', unknown)).body.issues).toEqual([
      {
        message: expect.stringMatching(
          /^resource\.id: is not a field here, where there are active, name, slug$/,
        ),
      },
      { message: expect.stringMatching(/^resource\.colour: is not a field here/) },
      { message: 'dryRun: is not a field here, where there are resource' },
    ]);
    const { status, body: created } = await api('POST', '/resources', given);
    expect(status).toBe(200);
    expect(created.resource).toMatchObject({ ...seats.resource, active: true });
  });

  test('no endpoint that writes ignores a field of its body', async ({ api }) => {
    for (const { method, path } of routes.filter(({ method }) => method !== 'GET')) {
      const answer = await api(method, path.replaceAll(/:\w+/g, 'none'), { colour: 'red' });
      const messages = (answer.body.issues ?? []).map(
        ({ message }: { message: string }) => message,
      );
      expect([method, path, messages]).toEqual([
        method,
        path,
        expect.arrayContaining([expect.stringMatching(/^colour: is not a field here/)]),
      ]);
    }
  });

  test('text is kept character for character', async ({ api }) => {
    const name = 'Plätze «🪑» 座席 \u202e \\ " \' % _ {x}';
    const { body } = await api('POST', '/resources', { resource: { slug: 'a', name } });
    expect((await api('GET', `/resources/${body.resource.id}`)).body.resource.name).toBe(name);
  });

  test('400 for text with a zero character', async ({ api }) => {
    const answer = await api('POST', '/resources', { resource: { slug: 'a', name: 'a\u0000b' } });
    expectRefusal(answer, 400, 'BAD_REQUEST');
  });
});

describe('A refusal', () => {
  test('problems of type and of range are reported together', async ({ api }) => {
    const { body } = await api('POST', '/products', {
      product: { name: '', slug: '' },
      price: { type: 'bogus', unitPrice: -1, intervalCount: 'x' },
    });
    const paths = body.issues.map(({ message }: { message: string }) => message.split(':')[0]);
    expect(paths.sort()).toEqual([
      'price.intervalCount',
      'price.type',
      'price.unitPrice',
      'product.name',
      'product.slug',
    ]);
  });

  test('one issue for each problem, with its path, whatever finds it', async ({ api }) => {
    const wrongType = await api('POST', '/webhooks', {
      webhook: { name: 1, url: true, filterTypes: ['customer.created', 'nothing'] },
    });
    expectRefusal(wrongType, 400, 'BAD_REQUEST');
    expect(wrongType.body.message).toBe('Invalid input data');
    expect(wrongType.body.issues).toEqual([
      {
        message: expect.stringMatching(
          /^webhook\.filterTypes\.1: must be one of customer\.created, /,
        ),
      },
      { message: expect.stringMatching(/^webhook\.name: /) },
      { message: expect.stringMatching(/^webhook\.url: /) },
    ]);
    const wrongValue = await api('POST', '/webhooks', {
      webhook: { name: '', url: 'x', filterTypes: Array(201).fill('customer.created') },
    });
    expectRefusal(wrongValue, 400, 'BAD_REQUEST');
    expect(wrongValue.body.issues).toEqual([
      { message: expect.stringMatching(/^webhook\.filterTypes: /) },
      { message: expect.stringMatching(/^webhook\.name: /) },
      { message: expect.stringMatching(/^webhook\.url: /) },
    ]);
  });

  describe('with Prefer: issues=detailed', () => {
    const detailed = { headers: { prefer: 'respond-async, issues=detailed' } };

    test('each issue has its code and its path, whatever finds it', async ({ api, session }) => {
      const product = (fields: object) => ({
        product: { name: 'Pro', slug: 'pro' },
        price: { type: 'single_payment', unitPrice: 1, ...fields },
      });
      await api('POST', '/products', product({}));
      const cases = [
        ['/products', product({}), 'TAKEN', ['product', 'slug']],
        ['/products', product({ unitPrice: -1 }), 'OUT_OF_RANGE', ['price', 'unitPrice']],
        ['/products', product({ type: 'bogus' }), 'INVALID', ['price', 'type']],
        ['/products', product({ intervalUnit: 'day' }), 'NOT_ALLOWED', ['price', 'intervalUnit']],
        ['/products', product({ unitPrice: undefined }), 'REQUIRED', ['price', 'unitPrice']],
        ['/products', product({ name: 'x'.repeat(256) }), 'TOO_LONG', ['price', 'name']],
        ['/products?a=1', product({}), 'NOT_ALLOWED', ['a']],
        ['/products', { ...product({}), livemode: true }, 'MISMATCH', ['livemode']],
        ['/prices', { price: { type: 'usage' } }, 'REQUIRED', ['price', 'unitPrice']],
        ['/invoices', anInvoiceOf('cust_none'), 'NOT_FOUND', ['invoice', 'customerId']],
      ] as const;
      for (const [path, body, code, place] of cases) {
        const plain = await api('POST', path, body);
        expectRefusal(plain, 400, 'BAD_REQUEST');
        const answer = await api('POST', path, body, detailed);
        expect(answer.headers.get('preference-applied')).toBe('issues=detailed');
        expect(answer.body).toEqual({
          ...plain.body,
          issues: plain.body.issues.map(({ message }: { message: string }) => ({
            code: expect.stringMatching(/^[A-Z_]+$/),
            path: expect.any(Array),
            message,
          })),
        });
        expect(answer.body.issues).toContainEqual({
          code,
          path: place,
          message: expect.stringMatching(`^${place.join('.')}: `),
        });
      }
      expect(session.livemode).toBe(false);
    });

    test('a problem of the whole call is an issue too, which the documented body leaves out', async ({
      api,
    }) => {
      const customer = { name: 'A', email: 'a@example.com', externalId: 'a' };
      const { body } = await api('POST', '/customers', { customer });
      const price = { type: 'subscription', unitPrice: 0, intervalUnit: 'month', slug: 'free' };
      await api('POST', '/products', { product: { name: 'F', slug: 'f' }, price });
      const another = { customerId: body.data.customer.id, priceSlug: 'free' };
      const first = await api('POST', '/subscriptions', another);
      const plain = await api('POST', '/subscriptions', another);
      expect([first.status, plain.status]).toContain(400);
      const refused = first.status === 400 ? first : plain;
      expect(refused.body).toMatchObject({ code: 'BAD_REQUEST', issues: [] });
      const answer = await api('POST', '/subscriptions', another, detailed);
      expect(answer.body.issues).toEqual([
        { code: 'ALREADY_SUBSCRIBED', path: [], message: refused.body.message },
      ]);
    });

    test('every code of this layer is one of the graph', () => {
      const known = (schema.getType('IssueCode') as GraphQLEnumType).getValues();
      expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining([...issueCodes]));
    });
  });

  test('the same shape for 401 and 404', async ({ api }) => {
    expectRefusal(await api('GET', '/resources', undefined, { key: null }), 401, 'UNAUTHORIZED');
    expectRefusal(await api('GET', '/resources/none'), 404, 'NOT_FOUND');
  });

  test('a 500 tells nothing of what is inside', async ({ api, session }) => {
    const { id } = await aResource(session);
    const em = session.em.fork();
    await em.execute('alter table resource rename to resource_away');
    const answers = [
      await api('GET', '/resources'),
      await api('GET', `/resources/${id}`),
      await api('POST', '/resources', seats),
    ];
    await em.execute('alter table resource_away rename to resource');
    for (const answer of answers) {
      expectRefusal(answer, 500, 'INTERNAL_SERVER_ERROR');
      expect(answer.body).toEqual({
        code: 'INTERNAL_SERVER_ERROR',
        message: 'Internal server error',
        issues: [],
      });
    }
    expect(await api('GET', `/resources/${id}`)).toMatchObject({ status: 200 });
  });

  test('a 500 when the caller cannot even be looked up', async ({ gateway, session, tenant }) => {
    const em = session.em.fork();
    await em.execute('alter table api_key rename to api_key_away');
    const answer = await apiOf(gateway, tenant.key)('GET', '/resources');
    await em.execute('alter table api_key_away rename to api_key');
    expectRefusal(answer, 500, 'INTERNAL_SERVER_ERROR');
    expect(answer.body.message).toBe('Internal server error');
  });
});

describe('X-Request-Id', () => {
  test('is on every answer, each with its own', async ({ api }) => {
    const answers = await Promise.all([api('GET', '/resources'), api('POST', '/resources', seats)]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(new Set(ids).size).toBe(2);
  });

  test('is the caller’s own when it is sane, and never when it is not', async ({ api }) => {
    const ask = async (id: string) =>
      (await api('GET', '/resources', undefined, { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      );
    expect(await ask('order-42_A')).toBe('order-42_A');
    expect(await ask('x'.repeat(64))).toBe('x'.repeat(64));
    for (const id of ['x'.repeat(65), 'a b', '<script>', '"', '']) {
      expect(await ask(id)).toMatch(/^[0-9a-f]{8}$/);
    }
  });
});
