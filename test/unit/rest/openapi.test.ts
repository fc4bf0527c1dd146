import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildSchema, isInputObjectType, Kind, OperationTypeNode } from 'graphql';
import { expect, test } from 'vitest';
import { fragment } from '#rest/engine/fragment.ts';
import { get, list, post, type Route } from '#rest/engine/route.ts';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import type { JsonSchema } from '#rest/openapi/schemas.ts';
import { schema } from '#schema/index.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (JsonSchema & { name?: string; schema?: JsonSchema })[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly content: Content; readonly $ref?: string }>
  >;
}
type Content = Readonly<Record<'application/json', { readonly schema: JsonSchema }>>;
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

const described = (some: readonly Route[], graph = schema) => openApiOf(some, graph) as Description;
const description = described(routes);
const { paths, components } = description;
const operations = Object.values(paths).flatMap((path) => Object.values(path));

const operation = (method: string, path: string, of = description): Operation => {
  const found = of.paths[`/api/v1${path}`]?.[method];
  if (!found) throw new Error(`${method} ${path} is not described`);
  return found;
};
const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json'].schema;
const answerOf = ({ responses }: Operation) => responses[200]?.content['application/json'].schema;
const component = (name: string) => components.schemas[name];

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const copy = JSON.parse(JSON.stringify(description));
  await expect(validator.validate(copy)).resolves.toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('redocly lint finds nothing, warnings included', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(description);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  const { tags } = description as unknown as { tags: { description?: string }[] };
  expect(tags.filter((tag) => !tag.description)).toEqual([]);
});

test('every reference leads to something', () => {
  const text = JSON.stringify(description);
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer
      .split('/')
      .reduce<unknown>(
        (at, key) => (at as Record<string, unknown> | undefined)?.[key],
        description,
      );
    expect(target, pointer).toBeDefined();
  }
});

test.each(routes.map((route) => [route.method, route.path, route] as const))(
  '%s %s is described: what it does, its success and its errors',
  (method, path, { namesObject, later }) => {
    const found = operation(method.toLowerCase(), path.replaceAll(/:(\w+)/g, '{$1}'));
    expect(found.summary).not.toBe('');
    expect(found.summary).toMatch(/^[A-Z][a-z]+( [a-z]+)+$/);
    expect(found.description).toMatch(/.{10}/);
    expect(found.description).not.toContain('CONFLICT');
    expect(answerOf(found)).toBeDefined();
    const errors = ['400', '401', '403', '421', '429', '500', '503'];
    const canMiss = method !== 'POST' || path.includes(':') || namesObject;
    expect(Object.keys(found.responses)).toEqual(
      [
        ...['200', ...(later ? ['202'] : []), ...errors, ...(canMiss ? ['404'] : [])],
        ...(method === 'GET' ? [] : ['409', '422']),
      ].sort(),
    );
  },
);

test('nothing but the routes is described, each under an id of its own', () => {
  expect(operations).toHaveLength(routes.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length);
  expect(operation('get', '/api-keys/{id}').operationId).toBe('getApiKey');
});

test('bodies carry the ranges that are enforced', () => {
  expect(component('CreateProductInput')?.properties?.name).toMatchObject({
    type: 'string',
    minLength: 1,
    maxLength: 255,
  });
  expect(component('CreateProductInput')?.properties?.imageURL?.anyOf).toContainEqual({
    type: 'string',
    maxLength: 2000,
    format: 'uri',
  });
  expect(component('ProductPriceInput')?.properties?.unitPrice).toMatchObject({ minimum: 0 });
  expect(component('CreateWebhookInput')?.properties?.filterTypes).toMatchObject({
    minItems: 0,
    maxItems: 200,
    items: { $ref: '#/components/schemas/EventType' },
  });
  const update = bodyOf(operation('put', '/products/{id}'));
  expect(update?.properties?.featureIds).toMatchObject({ type: ['array', 'null'], maxItems: 1000 });
});

test('bodies require exactly what the operation requires, and optional fields may be null', () => {
  const create = operation('post', '/products');
  expect(create.requestBody?.required).toBe(true);
  expect(bodyOf(create)?.required).toEqual(['product', 'price']);
  expect(component('CreateProductInput')?.required).toEqual(['name', 'slug']);
  expect(component('CreateProductInput')?.properties?.active?.type).toEqual(['boolean', 'null']);
  // What an empty object means, a body that is lost must not mean.
  expect(operation('post', '/payments/{id}/refund').requestBody?.required).toBe(true);
  expect(operation('post', '/product-features/{id}/expire').requestBody).toBeUndefined();
});

test('a catalog document is described without other fields, on every level where they are refused', () => {
  const levels = [
    ...['SetUpPricingModelInput', 'FeatureDocument', 'ResourceDocument', 'PriceDocument'],
    ...['ProductDocument', 'ProductFieldsDocument'],
    ...['UsageMeterDocument', 'UsageMeterFieldsDocument'],
  ];
  for (const name of levels)
    expect([name, component(name)?.additionalProperties]).toEqual([name, false]);
  const setUp = bodyOf(operation('post', '/pricing-models/setup'));
  expect(setUp).toMatchObject({ $ref: '#/components/schemas/SetUpPricingModelInput' });
  // An update ignores other fields beside the structure, and refuses them in it.
  const update = component('UpdatePricingModelInput');
  expect(update?.additionalProperties).toBeUndefined();
  expect(update?.properties?.features?.items).toEqual({
    $ref: '#/components/schemas/FeatureDocument',
  });
  expect(component('CreateProductInput')?.additionalProperties).toBeUndefined();
});

test('page sizes are described with their bounds and their default', () => {
  const limit = operation('get', '/products').parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ in: 'query', required: false });
  expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
});

test('enumerations list their values', () => {
  expect(component('IntervalUnit')?.enum).toEqual(
    expect.arrayContaining(['day', 'week', 'month', 'year']),
  );
  expect(component('EventType')?.enum).toContain('customer.created');
});

test('answers have what the document selects and nothing else', () => {
  const answer = answerOf(operation('get', '/usage-meters/{id}'));
  expect(answer).toMatchObject({
    properties: { usageMeter: { $ref: '#/components/schemas/UsageMeter' } },
    required: ['usageMeter'],
    additionalProperties: false,
  });
  const meter = component('UsageMeter');
  expect(meter?.additionalProperties).toBe(false);
  expect(meter?.required).toEqual(
    'id createdAt updatedAt livemode organizationId name pricingModelId slug aggregationType'.split(
      ' ',
    ),
  );
  expect(component('Price')?.properties?.slug?.type).toEqual(['string', 'null']);
});

test('lists have their envelope, whose cursors may be left out but are never null', () => {
  const envelope = answerOf(operation('get', '/features'));
  expect(envelope?.required).toEqual(['data', 'hasMore', 'total']);
  expect(envelope?.properties?.data?.items?.$ref).toBe('#/components/schemas/Feature');
  expect(envelope?.properties?.nextCursor?.type).toBe('string');
});

test('POST /catalogs is described in both renderings, the older one as the default', () => {
  const create = operation('post', '/catalogs');
  const [older, current] = answerOf(create)?.anyOf ?? [];
  expect(older?.description).toContain('the default');
  expect(older?.properties?.catalog?.$ref).toBe('#/components/schemas/LegacyPricingModel');
  expect(current?.properties?.catalog?.$ref).toBe('#/components/schemas/PricingModel');
  const { properties = {}, required } = component('LegacyPricingModel') ?? {};
  expect(required).toEqual(Object.keys(properties));
  expect(required?.slice(1, 5)).toEqual([
    'createdAt',
    'updatedAt',
    'createdByCommit',
    'updatedByCommit',
  ]);
  expect(properties.createdAt).toMatchObject({ type: 'string', format: 'date-time' });
  expect(create.parameters).toContainEqual({ $ref: '#/components/parameters/Prefer' });
});

test('the older rendering of a list is described without the fields that it omits', () => {
  const source = 'fragment Older on Price { id createdAt updatedAt pricingModelId slug }';
  const route = list('/older', 'prices', fragment(source), {
    legacy: { omit: ['pricingModelId'] },
  });
  const listed = described([route]);
  const [older] = answerOf(operation('get', '/older', listed))?.anyOf ?? [];
  expect(older?.properties?.data?.items?.$ref).toBe('#/components/schemas/LegacyOlder');
  expect(Object.keys(listed.components.schemas.LegacyOlder?.properties ?? {})).toEqual([
    'id',
    'createdAt',
    'updatedAt',
    'createdByCommit',
    'updatedByCommit',
    'slug',
  ]);
});

test('one input type under two ranges is described with each, and $input is the whole body', () => {
  const small = buildSchema(`
    input Amount { value: Int! }
    type Query { nothing: Int }
    type Mutation { few(input: Amount!): Int, many(input: Amount!): Int }
  `);
  const limit = (field: string, maximum: number) => {
    const value = { type: 'integer', maximum };
    const input = { type: 'object', properties: { value } };
    const found = small.getMutationType()?.getFields()[field];
    if (found) found.extensions = { ranges: { type: 'object', properties: { input } } };
  };
  limit('few', 3);
  limit('many', 300);
  const some = ['few', 'many'].map((field) =>
    post(`/${field}`, `mutation ${field}($input: Amount!) { body: ${field}(input: $input) }`),
  );
  const both = described(some, small);
  const bodies = some.map(({ path }) => bodyOf(operation('post', path, both)));
  expect(bodies[0]).toEqual({ $ref: '#/components/schemas/Amount' });
  expect(both.components.schemas.Amount?.properties?.value).toMatchObject({ maximum: 3 });
  expect(bodies[1]?.properties?.value).toMatchObject({ maximum: 300 });
});

test('a query parameter that is one field of an argument is described as that field', () => {
  const small = buildSchema(`
    input Filter { "How large." size: Int }
    type Query { items(filter: Filter): [ID!]! }
  `);
  const items = small.getQueryType()?.getFields().items;
  const filter = { type: 'object', properties: { size: { type: 'integer', minimum: 7 } } };
  if (items) items.extensions = { ranges: { type: 'object', properties: { filter } } };
  const route = get('/items', 'query Items($size: Int) { body: items(filter: { size: $size }) }');
  expect(operation('get', '/items', described([route], small)).parameters).toEqual([
    {
      name: 'size',
      in: 'query',
      required: false,
      description: 'How large.',
      schema: { type: 'integer', format: 'int32', minimum: 7 },
    },
  ]);
});

test('an answer that is one record is described by the name of its fragment', () => {
  expect(answerOf(operation('get', '/products/{id}'))).toEqual({
    $ref: '#/components/schemas/ProductWithPrices',
  });
});

test('an answer of several types is described as any of them, each with its own fields', () => {
  const small = buildSchema(`
    type Card { id: ID!, digits: String! }
    type Bank { id: ID!, name: String }
    union Method = Card | Bank
    type Query { method(id: ID!): Method! }
  `);
  const route = get(
    '/methods/:id',
    `query GetMethod($id: ID!) { method(id: $id) { ...M } }
    fragment M on Method { ... on Card { id digits } ... on Bank { id name } }`,
  );
  const { components } = described([route], small);
  expect(components.schemas.M?.anyOf?.map(({ required }) => required)).toEqual([
    ['id', 'digits'],
    ['id', 'name'],
  ]);
});

test('a failure has exactly code, message and issues', () => {
  expect(component('Error')).toMatchObject({
    required: ['code', 'message', 'issues'],
    additionalProperties: false,
  });
  const ofKeys = ['KEY_IN_PROGRESS', 'KEY_REUSED'];
  expect(component('Error')?.properties?.code?.enum).toEqual(
    Object.keys(components.responses).filter((name) => !ofKeys.includes(name)),
  );
});

const objectsIn = (part: unknown): JsonSchema[] =>
  typeof part !== 'object' || part === null
    ? []
    : [part as JsonSchema, ...Object.values(part).flatMap(objectsIn)];

/** The choices between fields that a mutation's rules state, at any depth, and the types of its inputs. */
const choicesOf = (name: string) => {
  const ranges = schema.getMutationType()?.getFields()[name]?.extensions.ranges;
  return objectsIn(ranges).flatMap(({ choices = [] }) => choices);
};

test('a body of which exactly one field of several is given is described with oneOf', () => {
  const found: string[] = [];
  const missing: string[] = [];
  for (const {
    method,
    path,
    fields,
    operation: node,
    fields: [field],
  } of routes) {
    if (node.operation !== OperationTypeNode.MUTATION) continue;
    const given = new Map(
      fields.flatMap(({ arguments: all = [] }) =>
        all.flatMap(({ name, value }) =>
          value.kind === Kind.VARIABLE ? [[name.value, value.name.value] as const] : [],
        ),
      ),
    );
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    const body = bodyOf(operation(method.toLowerCase(), template));
    const text = JSON.stringify([body, components]);
    for (const names of choicesOf(field?.name.value ?? '')) {
      // A choice between arguments is one of the body where the route takes all of them.
      const shown = names.map((name) => given.get(name) ?? name);
      const rule = JSON.stringify(shown.map((name) => ({ required: [name] })));
      (text.includes(`"oneOf":${rule}`) ? found : missing).push(`${method} ${path}: ${shown}`);
    }
  }
  expect(found.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('an input of the graph that is nothing but a choice is @oneOf', () => {
  const groups = Object.keys(schema.getMutationType()?.getFields() ?? {}).flatMap(choicesOf);
  const plain = Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .filter((type) => {
      const names = Object.keys(type.getFields()).sort().join();
      return !type.isOneOf && groups.some((group) => [...group].sort().join() === names);
    });
  expect(plain.map(({ name }) => name)).toEqual([]);
});
