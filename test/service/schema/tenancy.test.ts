import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { describe, expect } from 'vitest';
import { accessRefusal } from '#schema/engine/access.ts';
import { catalogTypes } from '#schema/engine/token-access.ts';
import { schema } from '#schema/index.ts';
import { plainValue } from '../../support/answers/all-operations.ts';
import { liveKey, oneOfEach, siblingKey } from '../../support/records/one-of-each.ts';
import { aKey, aTenant } from '../../support/tenant.ts';
import { test as base, graphqlOf } from '../../support/test.ts';

/** A client that must not see the rows of the test's own pricing model. */
const strangers = ['another organization', 'the other mode', 'another pricing model'] as const;
type Stranger = (typeof strangers)[number];

/** The records of the whole file are made once: strangers change nothing of them. */
const test = base
  .extend('owner', { scope: 'file' }, ({ database }) => aTenant(database.orm.em))
  .extend('ids', { scope: 'file' }, ({ owner }) => oneOfEach(owner.session))
  .extend('graphql', ({ gateway, owner }) => graphqlOf(gateway, owner.key))
  .extend(
    'keys',
    { scope: 'file' },
    async ({ database, owner: { session } }): Promise<Record<Stranger, string>> => ({
      'another organization': (await aTenant(database.orm.em)).key,
      'the other mode': await liveKey(session),
      'another pricing model': await siblingKey(session),
    }),
  );

type Fields = Record<string, GraphQLField<unknown, unknown>>;

/** The fields that keys may use; `test/service/server/operators/operators-access.test.ts` tests those of operators. */
const forKeys = (fields: Fields | undefined, operation: 'query' | 'mutation'): Fields =>
  Object.fromEntries(
    Object.entries(fields ?? {}).filter(
      ([name, field]) => !accessRefusal({ keyType: 'secret' }, { ...field, name, operation }),
    ),
  );

const queries = forKeys(schema.getQueryType()?.getFields() as Fields | undefined, 'query');
const mutations = forKeys(schema.getMutationType()?.getFields() as Fields | undefined, 'mutation');
/** Subscriptions to one row; the feed as a whole has tests of its own. */
const subscriptions = Object.fromEntries(
  Object.entries((schema.getSubscriptionType()?.getFields() ?? {}) as Fields).filter(([, field]) =>
    field.args.some(({ name }) => name === 'id'),
  ),
);

/** Operations on one row by its id: every query, mutation and subscription with an `id` argument. */
const byId = [
  ...Object.entries(queries).map((entry) => ['query', ...entry] as const),
  ...Object.entries(mutations).map((entry) => ['mutation', ...entry] as const),
].filter(([, , field]) => field.args.some(({ name }) => name === 'id'));

/** Lists of one object's own are refused with the object, by tests of theirs. */
const lists = Object.entries(queries).filter(([, { type, args }]) => {
  if (args.some((argument) => isNonNullType(argument.type))) return false;
  const named = getNamedType(type);
  return named.name.endsWith('Connection') || isListType(isNonNullType(type) ? type.ofType : type);
});

/** A pricing model is visible to the secret keys of its organization and mode. */
/** Keys of one organization see its pricing models, and its settings and accounts in their own mode. */
const mayBeSeen = (stranger: Stranger, type: string) =>
  (stranger === 'another pricing model' &&
    ['MailSettings', 'MailTemplate', 'PricingModel', 'ProcessorAccount'].includes(type)) ||
  (stranger !== 'another organization' &&
    ['Operator', 'OperatorInvitation', 'Organization'].includes(type));

describe.each(strangers)('%s', (stranger) => {
  test.for(byId)(
    '%s %s finds nothing',
    async ([kind, name, field], { gateway, ids, keys, graphql }) => {
      const type = typeOf(field);
      for (const [owned, id] of Object.entries(ids)) {
        if (name !== 'node' && owned !== type) continue;
        if (mayBeSeen(stranger, owned)) continue;
        const document = operation(kind, name, field);
        const variables = { ...minimal(name, field), id };
        const { data, errors } = await graphqlOf(gateway, keys[stranger])(document, variables);
        if (name === 'node') expect(data).toEqual({ node: null });
        else expect(errors?.[0]?.extensions?.code, JSON.stringify(errors)).toBe('NOT_FOUND');
        // The same call by the owner finds the row, so the refusal above is about tenancy.
        if (kind === 'query') {
          const own = await graphql(document, variables);
          expect(own.errors, JSON.stringify(own.errors)).toBeUndefined();
        }
      }
    },
  );

  test('nodes finds nothing', async ({ gateway, ids, keys, graphql }) => {
    const hidden = Object.entries(ids).filter(([type]) => !mayBeSeen(stranger, type));
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const variables = { ids: hidden.map(([, id]) => id) };
    const { data } = await graphqlOf(gateway, keys[stranger])(query, variables);
    expect(data.nodes).toEqual(hidden.map(() => null));
    const own = await graphql(query, variables);
    expect(own.data.nodes).toEqual(hidden.map(([, id]) => ({ id })));
  });

  test.for(lists)(
    'query %s lists none of the rows',
    async ([name, field], { gateway, ids, keys }) => {
      const connection = getNamedType(field.type).name.endsWith('Connection');
      const query = connection
        ? `{ ${name}(first: 100) { nodes { id } totalCount } }`
        : `{ ${name} { id } }`;
      const { data, errors } = await graphqlOf(gateway, keys[stranger])(query);
      expect(errors).toBeUndefined();
      const rows: { id: string }[] = connection ? data[name].nodes : data[name];
      const type = getNamedType(field.type).name.replace(/Connection$/, '');
      if (mayBeSeen(stranger, type)) return;
      expect(rows.map(({ id }) => id)).not.toContain(ids[type]);
      if (connection) expect(data[name].totalCount).toBe(rows.length);
    },
  );

  test.for(Object.entries(subscriptions))(
    'subscription %s is refused',
    async ([name, field], { gateway, ids, keys }) => {
      const type = typeOf(field);
      if (mayBeSeen(stranger, type)) return;
      expect(ids[type], `${type} needs a row in this test`).toBeDefined();
      const response = await gateway.fetch('http://test/graphql', {
        method: 'POST',
        headers: {
          authorization: keys[stranger],
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({
          query: `subscription($id: ID!) { ${name}(id: $id) { id } }`,
          variables: { id: ids[type] },
        }),
      });
      expect(await response.text()).toContain('NOT_FOUND');
    },
  );

  test('rows of another pricing model cannot be referred to', async ({ gateway, ids, keys }) => {
    const graphql = graphqlOf(gateway, keys[stranger]);
    const { errors } = await graphql(
      `mutation($productId: ID!, $featureId: ID!) {
        createProductFeature(productFeature: { productId: $productId, featureId: $featureId }) { productFeature { id } }
      }`,
      { productId: ids.Product, featureId: ids.Feature },
    );
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

test('a publishable key reads the objects of the catalog only, by nodes and beside ids', async ({
  owner,
  gateway,
  ids,
}) => {
  const ask = graphqlOf(gateway, await aKey(owner.session, 'publishable'));
  const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename } }';
  const { data } = await ask(query, { ids: Object.values(ids) });
  const found = new Set(
    data.nodes.flatMap((node: { __typename: string } | null) => node?.__typename ?? []),
  );
  expect(found).toContain('Product');
  expect([...found].filter((type) => !catalogTypes.has(type as string))).toEqual([]);
  const types = [...catalogTypes].map((name) => schema.getType(name)).filter(isObjectType);
  expect(types).toHaveLength(catalogTypes.size);
  for (const type of types) {
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type);
      const record = getNamedType(
        (isObjectType(named) && named.name.endsWith('Connection')
          ? named.getFields().nodes?.type
          : undefined) ?? named,
      );
      if (!isObjectType(record) || catalogTypes.has(record.name)) continue;
      const part = named === record ? '__typename' : 'totalCount';
      const beside = `query($id: ID!) { node(id: $id) { ... on ${type.name} { ${field.name} { ${part} } } } }`;
      const { errors } = await ask(beside, { id: ids[type.name] });
      const codes = errors?.map(
        ({ extensions }: { extensions: { code: string } }) => extensions.code,
      );
      // An object that is not on sale is not found at all.
      if (codes) expect(codes, `${type.name}.${field.name}`).toEqual(['FORBIDDEN']);
      else expect(found.has(type.name), `${type.name}.${field.name}`).toBe(false);
    }
  }
});

test('every kind of row is part of these tests', ({ ids }) => {
  const kinds = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'),
  );
  expect(Object.keys(ids).sort()).toEqual(kinds.map(({ name }) => name).sort());
});

/** The kind of row that an operation works on: its own type, or the record within its payload. */
function typeOf({ type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type);
  if (!isObjectType(named) || named.getInterfaces().length > 0) return named.name;
  const records = Object.values(named.getFields()).map((field) => getNamedType(field.type));
  return records.find((record) => isObjectType(record))?.name ?? named.name;
}

/** Arguments that may be left out only for others. */
const alternatives: Readonly<Record<string, string>> = {
  addFeatureToSubscription: 'featureId',
  replayWebhook: 'after',
};

const needed = (name: string, { args }: GraphQLField<unknown, unknown>) =>
  args.filter((argument) => isNonNullType(argument.type) || alternatives[name] === argument.name);

function operation(kind: string, name: string, field: GraphQLField<unknown, unknown>) {
  const required = needed(name, field);
  const variables = required.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = required.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind}(${variables}) { ${name}(${args}) { __typename } }`;
}

/** The least input that the types allow, so that only the id can be what is refused. */
function minimal(name: string, field: GraphQLField<unknown, unknown>): Record<string, unknown> {
  const required = needed(name, field);
  return Object.fromEntries(required.map(({ name, type }) => [name, valueFor(type)]));
}

function valueFor(type: GraphQLInputType): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return [];
  if (isEnumType(inner)) return plainValue(inner)?.name;
  if (isScalarType(inner))
    return inner.name === 'Boolean'
      ? true
      : /Int|Sequence|Timestamp|Decimal/.test(inner.name)
        ? 1
        : 'x';
  if (!isInputObjectType(inner)) return undefined;
  const required = Object.values(inner.getFields()).filter((field) => isNonNullType(field.type));
  return Object.fromEntries(required.map((field) => [field.name, valueFor(field.type)]));
}
