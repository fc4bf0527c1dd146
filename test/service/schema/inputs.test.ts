import { on, once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, onTestFinished, vi } from 'vitest';

import { WebSocket } from 'ws';
import { earliestInstant, instantOf, latestInstant } from '#domain/kernel/inputs/inputs.ts';
import { startServer } from '#server/server.ts';

import { aUsageMeter } from '../../support/factories.ts';
import { aTenant } from '../../support/tenant.ts';
import { test } from '../../support/test.ts';

describe('A point in time', () => {
  test('is read from ISO 8601 with any offset to the millisecond', () => {
    const instants = fc.integer({ min: earliestInstant + 9e7, max: latestInstant - 9e7 });
    const offsets = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(instants, offsets, (at, minutes) => {
        const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
        const two = (number: number) => String(number).padStart(2, '0');
        const offset = `${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
        expect(instantOf(`${local}${minutes < 0 ? '-' : '+'}${offset}`)).toBe(at);
        expect(instantOf(new Date(at).toISOString())).toBe(at);
      }),
    );
  });

  test('does not depend on the zone of the process; a date is midnight UTC', () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const zone of ['America/New_York', 'Asia/Kathmandu', 'UTC']) {
      vi.stubEnv('TZ', zone);
      expect(instantOf('2026-01-01')).toBe(Date.UTC(2026, 0, 1));
      expect(instantOf('2026-07-01T00:00Z')).toBe(Date.UTC(2026, 6, 1));
      expect(instantOf('2026-07-01T00:00:00')).toBeUndefined();
    }
  });

  test.for([
    '2026-01-01T00:00:00',
    '2026-01-01T00:00',
    '2026-02-30',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00+02:00',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:00+24:00',
    '0000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '20260101',
    '1767225600000',
    'January 1, 2026 UTC',
    '',
    1_767_225_600_000.5,
    8.64e15,
    true,
    {},
  ])('is not %j, over REST and GraphQL', async (frozenTime, { api, graphql }) => {
    const { status, body } = await api('POST', '/test-clocks', { testClock: { frozenTime } });
    expect(status).toBe(400);
    expect(body.issues[0].message).toMatch(/^testClock\.frozenTime: must be integer milliseconds/);
    const create =
      'mutation ($at: Timestamp!) { createTestClock(testClock: { frozenTime: $at }) { testClock { id } } }';
    const { errors } = await graphql(create, { at: frozenTime });
    expect(errors[0].message).toContain('must be integer milliseconds');
    const literal = `mutation { createTestClock(testClock: { frozenTime: ${JSON.stringify(frozenTime).replace('{}', '{a: 1}')} }) { testClock { id } } }`;
    expect((await graphql(literal)).errors[0].message).toContain('must be integer milliseconds');
  });
});

describe('A number', () => {
  test.for(['', 'abc', '1.5', '0', '-1', '101', '1e2', ' 5', '99999999999999999999', '1&limit=2'])(
    'limit=%s is answered with the range, on any list',
    async (limit, { api }) => {
      for (const list of ['/products', '/events', '/customers', '/billing-runs']) {
        const { status, body } = await api('GET', `${list}?limit=${limit}`);
        expect({ status, issues: body.issues }).toEqual({
          status: 400,
          issues: [{ message: 'limit: must be from 1 to 100' }],
        });
      }
    },
  );

  test('may be quoted when it is whole, and never else', async ({ api }) => {
    const create = (unitPrice: unknown) =>
      api('POST', '/products', {
        product: { name: 'Pro', slug: 'pro' },
        price: { type: 'subscription', intervalUnit: 'month', unitPrice },
      });
    for (const wrong of ['49.00', '49.99', '4,9', '', '0x10', '1e3', 49.5]) {
      expect((await create(wrong)).body.issues).toEqual([
        { message: expect.stringMatching(/^price\.unitPrice: must be a whole number/) },
      ]);
    }
    expect((await create('4900')).status).toBe(200);
  });
});

describe('An array in place of an object', () => {
  test('is refused over REST', async ({ api }) => {
    for (const [method, path, body, field] of [
      ['POST', '/webhooks', { webhook: [] }, 'webhook'],
      ['PUT', '/products/prod_x', { product: [] }, 'product'],
      ['POST', '/usage-events/bulk', { usageEvents: [[]] }, 'usageEvents.0'],
      ['POST', '/products', { product: { name: 'a', slug: 'a' }, price: [{}] }, 'price'],
    ] as const) {
      const answer = await api(method, path, body);
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toContainEqual({ message: `${field}: must be an object` });
    }
  });

  test('is refused in the variables of GraphQL, at any depth', async ({ graphql }) => {
    const update = `mutation ($id: ID!, $product: UpdateProductInput!) {
      updateProduct(id: $id, product: $product) { product { id } }
    }`;
    expect((await graphql(update, { id: 'prod_x', product: [] })).errors).toEqual([
      {
        message: 'Invalid input data',
        extensions: {
          code: 'BAD_REQUEST',
          issues: [{ code: 'INVALID', path: ['product'], message: 'must be an object' }],
        },
      },
    ]);
    const record = `mutation ($events: [UsageEventInput!]!) {
      recordUsageEvents(usageEvents: $events) { usageEvents { id } }
    }`;
    const { errors } = await graphql(record, { events: [{ amount: 1 }, []] });
    expect(errors[0].extensions.issues).toEqual([
      { code: 'INVALID', path: ['events', 1], message: 'must be an object' },
    ]);
  });
});

describe('Variables of GraphQL', () => {
  test('of a wrong type are refused with the code and the path of each', async ({ graphql }) => {
    const document = `mutation ($id: ID!, $product: UpdateProductInput!, $featureIds: [ID!]) {
      updateProduct(id: $id, product: $product, featureIds: $featureIds) { product { id } }
    }`;
    const issuesOf = async (variables: object) =>
      (await graphql(document, variables as Record<string, unknown>)).errors.map(
        ({ extensions }: { extensions: { code: string; issues: object[] } }) => [
          extensions.code,
          ...extensions.issues,
        ],
      );
    const product = { active: 'yes', name: 5, color: 'red' };
    expect(await issuesOf({ product, featureIds: ['a', null] })).toEqual([
      ['BAD_REQUEST', { code: 'REQUIRED', path: ['id'], message: expect.any(String) }],
      [
        'BAD_REQUEST',
        {
          code: 'INVALID',
          path: ['product', 'active'],
          message: expect.stringMatching(/^Boolean cannot/),
        },
      ],
      ['BAD_REQUEST', { code: 'INVALID', path: ['product', 'name'], message: expect.any(String) }],
      [
        'BAD_REQUEST',
        {
          code: 'NOT_ALLOWED',
          path: ['product', 'color'],
          message: expect.stringMatching(/color/),
        },
      ],
      ['BAD_REQUEST', { code: 'REQUIRED', path: ['featureIds', 1], message: 'must not be null' }],
    ]);
  });

  test('and literals have the path of the field that is missing or unknown', async ({
    graphql,
  }) => {
    // The text of a caller cannot pretend to be the end of a message.
    const value = 'x; Field "y" of required type at "where.z';
    const [asVariable, asLiteral, argument] = [
      await graphql('query ($where: CustomerWhere) { customers(where: $where) { totalCount } }', {
        where: { metadata: [{ value, color: 1 }] },
      }),
      await graphql(
        `{ customers(where: { metadata: [{ value: ${JSON.stringify(value)}, color: 1 }] }) { totalCount } }`,
      ),
      await graphql('{ customer { id } }'),
    ];
    const issuesOf = (answer: typeof asLiteral) =>
      answer.errors.flatMap(({ extensions }: { extensions: { issues: object[] } }) =>
        extensions.issues.map((issue) => Object.values(issue).slice(0, 2)),
      );
    const lacks = ['REQUIRED', ['where', 'metadata', 0, 'key']];
    const unknown = ['NOT_ALLOWED', ['where', 'metadata', 0, 'color']];
    expect(issuesOf(asVariable)).toEqual([lacks, unknown]);
    expect(issuesOf(asLiteral)).toEqual([lacks, unknown]);
    expect(issuesOf(argument)).toEqual([['REQUIRED', ['id']]]);
  });

  const record = `mutation ($events: [UsageEventInput!]!) {
    recordUsageEvents(usageEvents: $events) { duplicates }
  }`;

  test('with a list that no call takes are refused with the length that one takes', async ({
    graphql,
  }) => {
    const create = `mutation ($ids: [ID!]) {
      createProduct(product: { name: "a", slug: "a" }, price: { type: subscription, unitPrice: 1 }, featureIds: $ids) { product { id } }
    }`;
    for (const [query, variables, path, most] of [
      [record, { events: Array(10_001).fill({}) }, ['events'], 10_000],
      [create, { ids: Array(100_001).fill(1) }, ['ids'], 100_000],
    ] as const) {
      const { errors } = await graphql(query, variables);
      const message = `must have at most ${most} items`;
      expect(errors[0].extensions).toEqual({
        code: 'BAD_REQUEST',
        issues: [{ code: 'TOO_LONG', path, message }],
      });
    }
  });

  test('have together no more objects and items than one call takes', async ({ graphql }) => {
    const query = `mutation ($a: [UsageEventInput!]!, $b: [UsageEventInput!]!, $c: [ID!], $d: [ID!]) {
      a: recordUsageEvents(usageEvents: $a) { duplicates }
      b: recordUsageEvents(usageEvents: $b) { duplicates }
      createProduct(product: { name: "a", slug: "a" }, price: { type: subscription, unitPrice: 1 }, featureIds: $c) { product { id } }
      d: createProduct(product: { name: "a", slug: "a" }, price: { type: subscription, unitPrice: 1 }, featureIds: $d) { product { id } }
    }`;
    for (const [variables, path, message] of [
      [{ a: Array(6_000).fill({}), b: Array(6_000).fill({}) }, ['b', 4_000], '10000 objects'],
      [
        { a: [], b: [], c: Array(60_000).fill(1), d: Array(60_000).fill(1) },
        ['d'],
        '100000 list items',
      ],
    ] as const) {
      const { errors } = await graphql(query, variables);
      expect(errors[0].extensions.issues).toEqual([
        {
          code: 'TOO_LONG',
          path,
          message: `the variables have more than ${message} together: send several requests`,
        },
      ]);
    }
  });

  test.for([130, 100_000])(
    'a value of %i levels is refused over WebSocket, too',
    async (levels, { gateway, hub, tenant, onTestFinished }) => {
      const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
      onTestFinished(() => server[Symbol.asyncDispose]());
      const socket = new WebSocket(
        `${server.url.replace('http', 'ws')}/graphql`,
        'graphql-transport-ws',
      );
      const messages = on(socket, 'message');
      const next = async () => JSON.parse(String((await messages.next()).value?.[0]));
      await once(socket, 'open');
      const payload = { authorization: tenant.key };
      socket.send(JSON.stringify({ type: 'connection_init', payload }));
      expect(await next()).toEqual({ type: 'connection_ack' });
      const deep = '[0,'.repeat(levels) + ']'.repeat(levels).replace(']', '0]');
      const variables = `{"events": [{"amount": 1, "transactionId": "a", "properties": ${deep}}]}`;
      const query = JSON.stringify(record);
      socket.send(
        `{"id": "1", "type": "subscribe", "payload": {"query": ${query}, "variables": ${variables}}}`,
      );
      const { payload: answer } = await next();
      expect(answer.errors).toMatchObject([
        {
          extensions: {
            code: 'BAD_REQUEST',
            issues: [{ path: ['events'], message: 'must be at most 128 levels deep' }],
          },
        },
      ]);
      socket.terminate();
    },
  );
});

describe('A key that JavaScript would lose', () => {
  test('__proto__ is refused aloud in properties and metadata, and other names are kept', async ({
    api,
    session,
  }) => {
    const kept = JSON.parse(
      '{"constructor": "a", "prototype": "b", "toString": "c", "hasOwnProperty": "d"}',
    );
    const lost = '{"a": 1, "__proto__": {"b": 2}}';
    const customer = { name: 'A', email: 'a@example.com', externalId: 'proto' };
    const { subscription } = (await api('POST', '/customers', { customer })).body.data;
    const meter = await aUsageMeter(session);
    const event = (transactionId: string, properties: string) =>
      api(
        'POST',
        '/usage-events',
        `{"usageEvent": {"subscriptionId": "${subscription.id}", "usageMeterId": "${meter.id}", "transactionId": "${transactionId}", "amount": 1, "properties": ${properties}}}`,
      );
    for (const properties of [lost, `{"deep": [${lost}]}`]) {
      const { status, body } = await event('lost', properties);
      expect(status).toBe(400);
      expect(body.issues).toEqual([
        { message: 'usageEvent.properties: must not have the key __proto__' },
      ]);
    }
    const { id } = (await event('kept', JSON.stringify(kept))).body.usageEvent;
    expect((await api('GET', `/usage-events/${id}`)).body.usageEvent.properties).toEqual(kept);
    const text = { text: '"__proto__": 1', __proto: 1 };
    expect((await event('text', JSON.stringify(text))).body.usageEvent.properties).toEqual(text);
    expect((await event('none', '{}')).body.usageEvent.properties).toEqual({});

    const { customerId } = subscription;
    const method = (metadata: string) =>
      api(
        'POST',
        '/payment-methods',
        `{"paymentMethod": {"customerId": "${customerId}", "type": "card", "token": "sandbox_success", "metadata": ${metadata}}}`,
      );
    expect((await method('{"__proto__": "x"}')).body.issues).toEqual([
      { message: 'paymentMethod.metadata: must not have the key __proto__' },
    ]);
    expect((await method(JSON.stringify(kept))).body.paymentMethod.metadata).toEqual(kept);
  });
});

describe('node(id)', () => {
  test('is null for an id of no kind, of no object and of another tenant', async ({
    graphql,
    database,
  }) => {
    const { session } = await aTenant(database.orm.em);
    const ids = [
      session.organizationId,
      session.pricingModelId,
      '',
      'foo',
      '_',
      'nope_1',
      'constructor_1',
      '__proto___1',
      'evt_1',
      'cust_none',
      'org_x',
    ];
    for (const id of [...ids, 'cust_\0', '\ud800', '💸_1']) {
      expect(await graphql('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({
        data: { node: null },
      });
    }
  });

  test('reaches the organization of the key', async ({ graphql, session }) => {
    const id = session.organizationId;
    const { data } = await graphql(
      'query ($id: ID!) { node(id: $id) { __typename id ... on Organization { name currency } } }',
      { id },
    );
    expect(data.node).toEqual({ __typename: 'Organization', id, name: 'Test', currency: 'USD' });
  });
});

/** A field below `where` of each scalar, its type, the refused values, and a part of the message. */
const refusedScalars = [
  ['Timestamp', 'customers', ['createdAt', 'from'], ['"nope"', 'true', '1.5'], '2026-01-31T10:00'],
  ['SafeInt', 'customers', ['amountOwed', 'min'], ['1.5', '"7"', '9007199254740993'], '-9007199'],
  ['Decimal', 'usageEvents', ['amount', 'max'], ['"x"', 'true', '0.0000000001'], '9 places'],
  ['EventType', 'events', ['type', 'is'], ['"nope"', '7'], 'invoice.paid'],
  ['ID', 'customers', ['id', 'is'], ['1.5', 'true'], 'ID'],
  ['String', 'customers', ['name', 'contains'], ['7', 'true'], 'String'],
  ['Boolean', 'customers', ['owes'], ['"yes"', '1'], 'Boolean'],
] as const;

test.for(refusedScalars)(
  'a refused %s inside an input object names its path, its place in the document and what is allowed',
  async ([scalar, list, keys, values, allowed], { graphql }) => {
    const [outer = '', inner] = keys;
    const within = (value: string) =>
      inner ? `{ ${outer}: { ${inner}: ${value} } }` : `{ ${outer}: ${value} }`;
    for (const literal of values) {
      const { errors } = await graphql(
        `{ ${list}(where: ${within(literal)}) { nodes { __typename } } }`,
      );
      const [{ message, locations, extensions }] = errors;
      expect(extensions.issues, literal).toEqual([
        { code: 'INVALID', path: ['where', ...keys], message: expect.stringContaining(allowed) },
      ]);
      expect(locations).toEqual([{ line: 1, column: expect.any(Number) }]);
      if (!['ID', 'String', 'Boolean'].includes(scalar)) {
        expect(message).toMatch(new RegExp(`^where.${keys.join('.')} must be `));
      }
      const type = `${list.replace(/^./, (letter) => letter.toUpperCase()).slice(0, -1)}Where`;
      const value = JSON.parse(literal);
      const asked = await graphql(
        `query ($where: ${type}) { ${list}(where: $where) { nodes { __typename } } }`,
        { where: { [outer]: inner ? { [inner]: value } : value } },
      );
      // JSON has read the number without its last digit.
      if (literal === '9007199254740993') continue;
      expect(asked.errors[0].extensions.issues, literal).toEqual([
        { code: 'INVALID', path: ['where', ...keys], message: expect.stringContaining(allowed) },
      ]);
    }
  },
);

test('a refused literal in a list, and one as a default of a variable, have their paths', async ({
  graphql,
}) => {
  const listed = await graphql(
    '{ events(where: { type: { in: ["invoice.paid", "nope"] } }) { nodes { id } } }',
  );
  expect(listed.errors[0].extensions.issues[0].path).toEqual(['where', 'type', 'in', 1]);
  const byDefault = await graphql(
    'query ($where: TimeWhere = { from: "nope" }) { customers(where: { createdAt: $where }) { nodes { id } } }',
  );
  expect(byDefault.errors[0].extensions.issues[0].path).toEqual(['where', 'from']);
  const argument = await graphql('{ mrrMovements(from: "x", to: 1, interval: day) { currency } }');
  expect(argument.errors[0].message).toMatch(/^from must be integer milliseconds/);
});
