import { readdirSync, readFileSync } from 'node:fs';
import {
  type GraphQLField,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  printSchema,
} from 'graphql';
import { describe, expect } from 'vitest';
import { entities } from '#domain/entities.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { mostNodes } from '#schema/engine/nodes.ts';
import { typeNameOf } from '#schema/engine/type-names.ts';
import { schema } from '#schema/index.ts';
import { aCustomer, fresh } from '../../support/factories.ts';
import { aTenant } from '../../support/tenant.ts';
import { test as base, graphqlOf } from '../../support/test.ts';

type Fields = Record<string, GraphQLField<unknown, unknown>>;
const queries = (schema.getQueryType()?.getFields() ?? {}) as Fields;
const mutations = (schema.getMutationType()?.getFields() ?? {}) as Fields;
const types = Object.values(schema.getTypeMap()).filter(
  (type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'),
);
const roots = new Set(['Query', 'Mutation', 'LiveUpdates']);

/** Fields with an id that leads to no object of the graph, each with the reason. */
const leadNowhere: Readonly<Record<string, string>> = {
  'ApiKey.idpHostedBillingUserId': 'a user of the hosted page',
  'Cause.requestId': 'a request is no object',
  'CheckoutSession.invoiceId': 'always null',
  'Customer.externalId': 'an id of the organization',
  'Customer.userId': 'an id of the organization',
  'Event.causeId': 'a request or a job',
  'Invoice.ownerMembershipId': 'memberships are no objects',
  'Invoice.stripePaymentIntentId': 'a record of Stripe',
  'Invoice.stripeTaxCalculationId': 'always null',
  'Invoice.stripeTaxTransactionId': 'always null',
  'InvoiceLineItem.billingRunId': 'the run of the invoice, which has the object',
  'InvoiceLineItem.ledgerAccountId': 'a usage balance, which the subscription has',
  'ResourceClaim.externalId': 'an id of the organization',
  'Subscription.externalId': 'an id of the organization',
  'SubscriptionItem.externalId': 'an id of the organization',
  'UsageEvent.transactionId': 'an id of the organization',
  'UsageMeterBalance.ledgerId': 'the id of the balance itself',
};

/** Where the plain name had another meaning before. */
const otherNames: Readonly<Record<string, string>> = {
  'InvoiceLineItem.priceId': 'priceObject',
  'Payment.paymentMethodId': 'method',
  'UpcomingInvoiceLine.priceId': 'priceObject',
  'UsageCredit.sourceId': 'sourceObject',
};

describe('the graph', () => {
  test('has an object beside each id', () => {
    const missing = types
      .filter(({ name }) => !roots.has(name))
      .flatMap((type) => {
        const fields = (type as { getFields(): Fields }).getFields();
        return Object.keys(fields)
          .filter((name) => name.endsWith('Id'))
          .map((name) => [`${type.name}.${name}`, fields] as const);
      })
      .filter(([id, fields]) => {
        const plain = id.slice(id.indexOf('.') + 1, -'Id'.length);
        const field = fields[otherNames[id] ?? plain];
        return !leadNowhere[id] && (!field || isLeafType(getNamedType(field.type)));
      })
      .map(([id]) => id);
    expect(missing).toEqual([]);
  });

  test('has nullable root fields of one object, and non-null lists', () => {
    for (const [name, { type }] of Object.entries({ ...queries, ...mutations })) {
      const inner = isNonNullType(type) ? type.ofType : type;
      const isList = isListType(inner) || getNamedType(inner).name.endsWith('Connection');
      expect(isNonNullType(type), name).toBe(isList);
    }
  });

  test('bounds each list next to its pages with a number in words', () => {
    const listed = types.flatMap((type) => {
      const fields = (type as { getFields(): Fields }).getFields();
      return Object.values(fields)
        .filter(({ name }) => Object.hasOwn(fields, `${name}Page`))
        .map(({ description }) => description ?? '');
    });
    expect(listed.length).toBeGreaterThan(5);
    for (const description of listed) {
      expect(description).toMatch(/at most (the (newest|first) )?1,?000|at most \d+/i);
    }
  });

  test('has one way to each record: no field, argument or value is deprecated', () => {
    expect(printSchema(schema)).not.toContain('@deprecated');
  });
});

describe('an id', () => {
  test('has a prefix of its own, which names its type', () => {
    const made = new Map<string, Set<string>>();
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.startsWith('domain') && file.endsWith('.ts'),
    );
    for (const file of sources) {
      const source = readFileSync(`src/${file}`, 'utf8');
      const [, entity] = /\.setClass\((\w+)\)/.exec(source) ?? [];
      for (const [, prefix = ''] of source.matchAll(/(?:tenant|base)Columns\('(\w+)'\)/g)) {
        made.set(prefix, (made.get(prefix) ?? new Set()).add(entity ?? file));
      }
    }
    expect(made.size).toBeGreaterThan(20);
    for (const [prefix, [entity, ...others]] of [...made].map(([p, s]) => [p, [...s]] as const)) {
      expect(others, prefix).toEqual([]);
      // Settings are read by the id of their organization.
      if (entity === 'OrganizationSettings') continue;
      expect(typeNameOf(`${prefix}_x`), prefix).toBe(entity);
    }
    expect(entities.length).toBeGreaterThan(made.size);
  });

  test('leads to its object with node for each type that has an id', () => {
    const nodes = types.filter(isObjectType).filter((type) => 'id' in type.getFields());
    const others = nodes.filter(
      (type) => !type.getInterfaces().some(({ name }) => name === 'Node'),
    );
    // An actor may be a job; runs of jobs belong to the service, and their ids have no prefix. Only operators read sessions.
    expect(others.map(({ name }) => name)).toEqual(['CronRun', 'EventActor', 'OperatorSession']);
  });
});

const test = base
  .extend('owner', { scope: 'file' }, async ({ database }) => {
    const owner = await aTenant(database.orm.em);
    for (let n = 0; n < 2; n++) await aCustomer(owner.session);
    return owner;
  })
  .extend('ask', ({ gateway, owner }) => graphqlOf(gateway, owner.key));

describe('one failure', () => {
  test('keeps the answers of the other root fields', async ({ ask, owner }) => {
    const customer = await fresh(owner.session).em.findOneOrFail(Customer, { archived: false });
    const { data, errors } = await ask(
      `query($id: ID!) {
        a: customer(id: "nope") { id } b: customer(id: $id) { id } c: customerBilling(externalId: "nope") { customer { id } }
        d: organizationRevenue(from: 2, to: 1, interval: day) { totals { mrr } } products(first: 1) { nodes { id } }
      }`,
      { id: customer.id },
    );
    expect(data).toEqual({
      a: null,
      b: { id: customer.id },
      c: null,
      d: null,
      products: { nodes: [{ id: expect.any(String) }] },
    });
    expect(
      errors.map(({ path, extensions }: { path: string[]; extensions: { code: string } }) => [
        path[0],
        extensions.code,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['a', 'NOT_FOUND'],
        ['c', 'NOT_FOUND'],
        ['d', 'BAD_REQUEST'],
      ]),
    );
  });

  test('keeps the answers of mutations that are committed', async ({ graphql, session }) => {
    const { data, errors } = await graphql(`mutation {
      a: createResource(resource: { slug: "a", name: "A" }) { resource { slug } }
      b: createResource(resource: { slug: "a", name: "Taken" }) { resource { slug } }
      c: createResource(resource: { slug: "c", name: "C" }) { resource { slug } }
    }`);
    expect(data).toEqual({
      a: { resource: { slug: 'a' } },
      b: null,
      c: { resource: { slug: 'c' } },
    });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'BAD_REQUEST' } }]);
    const { data: kept } = await graphql('{ resources { nodes { slug } } }');
    expect(kept.resources.nodes).toEqual([{ slug: 'a' }, { slug: 'c' }]);
    expect(session.keyType).toBe('secret');
  });

  test('is an answer of its own in REST', async ({ api }) => {
    for (const path of ['/customers/nope/billing', '/products/nope', '/subscriptions/nope']) {
      expect(await api('GET', path), path).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    }
  });
});

describe('nodes', () => {
  test('are answered in the order of their ids, and null for unknown ones', async ({
    ask,
    owner,
  }) => {
    const [first, second] = await fresh(owner.session).em.find(Customer, {}, { limit: 2 });
    const ids = [
      'zzz',
      second?.id,
      'cust_x',
      owner.session.organizationId,
      'cust_\0',
      first?.id,
      second?.id,
      '',
    ];
    const { data, errors } = await ask(
      'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
      { ids },
    );
    expect(errors).toBeUndefined();
    const customer = (id = '') => ({ __typename: 'Customer', id });
    const organization = { __typename: 'Organization', id: owner.session.organizationId };
    expect(data.nodes).toEqual([
      null,
      customer(second?.id),
      null,
      organization,
      null,
      customer(first?.id),
      customer(second?.id),
      null,
    ]);
    expect((await ask('{ node(id: "zzz") { id } }')).data).toEqual({ node: null });
  });

  test(`are at most ${mostNodes}`, async ({ ask }) => {
    const ids = Array.from({ length: mostNodes + 1 }, (_, n) => `cust_${n}`);
    const { data, errors } = await ask('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_REQUEST', issues: [{ path: ['ids'] }] } },
    ]);
  });
});
