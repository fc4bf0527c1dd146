// @module-tag long
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect } from 'vitest';
import { routes } from '#rest/index.ts';
import { schema } from '#schema/index.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway, type Gateway } from '#server/yoga.ts';
import { test as base } from '../../support/test.ts';
import '../../support/properties.ts';

const mostMilliseconds = 20;
const requests = 1_000;

v8.setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const test = base.extend('gateways', { scope: 'file' }, ({ database: { orm }, hub }) => {
  const parts = { orm, hub, logger: createLogger('silent'), operationTimeLimitSeconds: 30 };
  const inMode = (production: boolean) => createGateway({ ...parts, production });
  return { development: inMode(false), production: inMode(true) };
});

const send = (gateway: Gateway, { method, path, headers, body }: Asked) =>
  gateway.fetch(`http://test${path}`, { method, headers, ...(body !== undefined && { body }) });

/** Documents that would cost much: repeated, nested and spread introspection, and texts that are hard to parse. */
const documents = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 9 }))
    .map(([aliases, depth]) => {
      const names = Array.from({ length: aliases }, (_, place) => `a${place}:__schema{...F}`);
      const inner = `${'fields{type{'.repeat(depth)}name${'}}'.repeat(depth)}`;
      return `query{${names.join(' ')}} fragment F on __Schema{types{${inner}}}`;
    }),
  fc.constantFrom(
    '{__typename}',
    'mutation{__typename}',
    'subscription{__typename}',
    '',
    '{',
    '{}',
  ),
  fc.integer({ min: 1, max: 9_000 }).map((depth) => '{a'.repeat(depth)),
  fc.integer({ min: 1, max: 20_000 }).map((length) => ' #'.repeat(length)),
  fc.integer({ min: 1, max: 9_000 }).map((length) => `{${' description'.repeat(length)}}`),
  fc
    .integer({ min: 1, max: 1_500 })
    .map((length) => `fragment A on B{${'...A '.repeat(length)}}{__schema{...A}}`),
  fc.nat(40).map((extra) => `${getIntrospectionQuery({ typeDepth: 20 + extra })}`),
  fc.constant(`${getIntrospectionQuery()} query B { __typename }`),
  fc.string({ maxLength: 5_000, unit: 'binary' }),
);

const bodies = fc.oneof(
  { weight: 6, arbitrary: documents.map((query) => JSON.stringify({ query })) },
  documents.map((query) => JSON.stringify([{ query }, { query }])),
  documents.map((query) => JSON.stringify({ query: [query], variables: { a: query } })),
  fc.integer({ min: 1, max: 500_000 }).map((depth) => '['.repeat(depth)),
  fc.integer({ min: 1, max: 100_000 }).map((many) => `{"a":[${'{},'.repeat(many)}{}]}`),
  fc.string({ maxLength: 2_000, unit: 'binary' }),
  fc.constantFrom('{"extensions":{"persistedQuery":{"sha256Hash":"x"}}}', '{"documentId":"x"}', ''),
);

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/graphql+json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/yaml',
    ),
    authorization: fc.constantFrom(
      ...['', 'Bearer', 'Bearer x', 'Basic eDp5', `Bearer ${'sk_test_'.repeat(900)}`],
      ...[`${' '.repeat(5_000)}x y`, 'Bearer <secret key>', 'pk_live_', 'ct_test_a.b.c'],
    ),
    accept: fc.constantFrom('application/json', 'text/event-stream', 'multipart/mixed', '*/*'),
    'accept-encoding': fc.constantFrom('gzip', 'br', 'identity'),
    'content-encoding': fc.constantFrom('gzip', 'identity'),
    origin: fc.constantFrom('https://evil.example', 'null', 'http://localhost:5173'),
    prefer: fc.constantFrom('dry-run', `${'cost,'.repeat(2_000)}`, 'respond-async'),
    cookie: fc.constantFrom('tollgate_operator=x', 'a=b;'.repeat(1_000)),
    'idempotency-key': fc.string({ minLength: 1, maxLength: 400, unit: 'grapheme-ascii' }),
    'last-event-id': fc.constantFrom('1', '9'.repeat(300)),
  },
  { requiredKeys: ['content-type'] },
);

const asked: fc.Arbitrary<Asked> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      method: fc.constant('POST'),
      path: fc.constantFrom('/graphql', '/graphql/', '/graphql?query={__typename}'),
      headers,
      body: bodies,
    }),
  },
  fc.record({
    method: fc.constant('GET'),
    path: documents.map(
      (query) => `/graphql?query=${encodeURIComponent(query.slice(0, 2_000).toWellFormed())}`,
    ),
    headers,
    body: fc.constant(undefined),
  }),
  fc
    .record({ route: fc.constantFrom(...routes), headers, body: bodies })
    .map(({ route: { method, path }, headers, body }) => ({
      method,
      path: `/api/v1${path.replaceAll(/:\w+/g, 'x')}`,
      headers,
      body: method === 'GET' ? undefined : body,
    })),
);

/** The processor time of a request until its whole answer, in milliseconds; of several, since others work meanwhile. */
async function costOf(gateway: Gateway, request: Asked): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5 && least > mostMilliseconds; time++) {
    const before = process.cpuUsage();
    await (await send(gateway, request)).arrayBuffer();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

describe.each(['development', 'production'] as const)('In %s', (mode) => {
  test('no request without a key takes more than 20 ms of processor time, is served, or leaves anything in memory', async ({
    gateways: { [mode]: gateway },
  }) => {
    let sent = 0;
    let used = 0;
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        expect(await costOf(gateway, request)).toBeLessThanOrEqual(mostMilliseconds);
        const { status } = await send(gateway, request);
        expect([401, 405], JSON.stringify(request).slice(0, 500)).toContain(status);
        if (++sent !== requests / 2 && sent !== requests) return;
        collect();
        const { heapUsed, external } = process.memoryUsage();
        if (sent === requests) expect((heapUsed + external - used) / 2 ** 20).toBeLessThan(16);
        used = heapUsed + external;
      }),
      { numRuns: requests },
    );
  });
});

/** What a tool may ask for, as the options of the library that they use. */
const options = fc.record({
  descriptions: fc.boolean(),
  specifiedByUrl: fc.boolean(),
  directiveIsRepeatable: fc.boolean(),
  schemaDescription: fc.boolean(),
  inputValueDeprecation: fc.boolean(),
  oneOf: fc.boolean(),
  typeDepth: fc.integer({ min: 1, max: 12 }),
});

const introspectionOf = (query: string): Asked => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, operationName: 'IntrospectionQuery' }),
});

test('the introspection of each tool shows the whole graph without a key, in development only', async ({
  gateways: { development, production },
}) => {
  const printed = (graph: GraphQLSchema) => printSchema(lexicographicSortSchema(graph));
  const whole = printed(schema);
  await fc.assert(
    fc.asyncProperty(options, fc.boolean(), async (chosen, isMinified) => {
      const query = getIntrospectionQuery(chosen);
      const request = introspectionOf(isMinified ? query.replace(/\s+/g, ' ') : query);
      const { data } = await (await send(development, request)).json();
      expect(printed(buildClientSchema(data)) === whole).toBe(true);
      expect((await send(production, request)).status).toBe(401);
    }),
    { numRuns: 20 },
  );
});

test('an introspection query that has more than those of tools needs a key', async ({
  gateways: { development },
}) => {
  const usual = getIntrospectionQuery();
  for (const query of [
    usual.replace('queryType {', 'queryType { fields { name }'),
    usual.replace('__schema {', '__typename __schema {'),
    `${usual} { products(first: 1) { totalCount } }`,
    usual.replace(
      'fragment InputValue',
      'fragment Other on Query { __typename } fragment InputValue',
    ),
    '{ __schema { queryType { name } } }',
  ]) {
    expect((await send(development, introspectionOf(query))).status, query).toBe(401);
  }
});
