import { readdirSync, readFileSync } from 'node:fs';
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { describe, expect } from 'vitest';
import { Customer } from '#domain/customers/customer.ts';
import { entities } from '#domain/entities.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { refundPayment } from '#domain/payments/refund-payment.ts';
import { reserveResource } from '#domain/reservations/reserve-resource.ts';
import { claimResource } from '#domain/resource-claims/claim-resource.ts';
import { sendTestEvent } from '#domain/webhook-deliveries/send-test-event.ts';
import { mostNodes } from '#schema/engine/nodes.ts';
import { typeNameOf } from '#schema/engine/type-names.ts';
import { schema } from '#schema/index.ts';
import {
  aCreditGrant,
  aCustomer,
  aPaymentMethod,
  aPriceOf,
  aProduct,
  aSubscription,
  aToggle,
  aUsageMeter,
  aUsagePrice,
  aWebhook,
  fresh,
} from '../support/factories.ts';
import { aSeatFeature } from '../support/seats.ts';
import { statementsOf } from '../support/statements.ts';
import { aTenant, test as base, graphqlOf } from '../support/test.ts';
import { grant, use } from '../support/usage.ts';

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
  'Customer.externalId': 'an id of the organization',
  'Customer.userId': 'an id of the organization',
  'Event.causeId': 'a request or a job',
  'Invoice.ownerMembershipId': 'memberships are no objects',
  'Invoice.purchaseId': 'purchases are no objects',
  'Payment.purchaseId': 'purchases are no objects',
  'ResourceClaim.externalId': 'an id of the organization',
  'SubscriptionItem.externalId': 'an id of the organization',
  'UsageEvent.transactionId': 'an id of the organization',
  'UsageMeterBalance.ledgerId': 'the id of the balance itself',
};

/** Where the plain name had another meaning before. */
const otherNames: Readonly<Record<string, string>> = {
  'InvoiceLineItem.priceId': 'priceObject',
  'Payment.paymentMethodId': 'method',
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

  test('bounds each list below an object with pages or a number in words', () => {
    const listed = types.flatMap((type) =>
      Object.values((type as { getFields(): Fields }).getFields())
        .filter(({ deprecationReason }) => deprecationReason !== undefined)
        .filter(({ type }) => isListType(isNonNullType(type) ? type.ofType : type))
        .map(({ description }) => description ?? ''),
    );
    expect(listed.length).toBeGreaterThan(5);
    for (const description of listed) expect(description).toMatch(/at most (the newest )?1,?000/);
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
    // An actor may be a job; runs of jobs belong to the service, and their ids have no prefix.
    expect(others.map(({ name }) => name)).toEqual(['CronRun', 'EventActor']);
  });
});

const rows = 14;

/** An organization with many rows of each kind that grows with its customers. */
async function aFurnished(session: Session) {
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id);
  const { featureId, resourceSlug } = await aSeatFeature(session);
  const credits = await aCreditGrant(session, meter.id);
  const toggle = await aToggle(session);
  const product = await aProduct(session, { featureIds: [featureId, credits.id, toggle.id] });
  const [price] = await product.prices.loadItems();
  for (let n = 0; n < 12; n++) await aPriceOf(session, {});
  const { webhook } = await aWebhook(session);
  let left = rows;
  const one = async () => {
    for (; left > 0; ) {
      left -= 1;
      const n = left;
      const { id: customerId } = await aCustomer(session);
      await aPaymentMethod(session, customerId, { default: true });
      const { id } = await aSubscription(session, { customerId, priceId: price?.id ?? '' });
      await use(session, { id, slug: meter.slug }, 1, 2, 3);
      if (n > 12) continue;
      await grant(session, { id, slug: meter.slug }, 5);
      await claimResource(fresh(session), { subscriptionId: id, resourceSlug, quantity: 1 });
      await reserveResource(fresh(session), { subscriptionId: id, resourceSlug, quantity: 1 });
      await sendTestEvent(fresh(session), { id: webhook.id });
      const [payment] = await fresh(session).em.find(Payment, { subscriptionId: id });
      await refundPayment(fresh(session), { id: payment?.id ?? '', partialAmount: 1 });
    }
  };
  await Promise.all([one(), one(), one(), one()]);
}

const test = base
  .extend('owner', { scope: 'file' }, async ({ database }) => {
    const owner = await aTenant(database.orm.em);
    await aFurnished(owner.session);
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
      a: createResource(resource: { slug: "a", name: "A" }) { slug }
      b: createResource(resource: { slug: "a", name: "Taken" }) { slug }
      c: createResource(resource: { slug: "c", name: "C" }) { slug }
    }`);
    expect(data).toEqual({ a: { slug: 'a' }, b: null, c: { slug: 'c' } });
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

/** What a field can be asked with as little as possible. */
function selectionOf(name: string, type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return name;
  if (named.name.endsWith('Connection'))
    return `${name}(first: 2) { totalCount nodes { __typename } }`;
  const [leaf] = Object.values((named as unknown as { getFields(): Fields }).getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  );
  return `${name} { ${leaf?.name ?? '__typename'} }`;
}

/** The lists whose rows are many here, with the fields of their rows. */
const lists = Object.entries(queries).flatMap(([list, { type }]) => {
  const connection = getNamedType(type);
  if (!isObjectType(connection) || !connection.name.endsWith('Connection')) return [];
  const record = getNamedType(connection.getFields().nodes?.type as GraphQLOutputType);
  if (!isObjectType(record)) return [];
  const fields = Object.values(record.getFields()).filter(
    ({ args }) => !args.some(isRequiredArgument),
  );
  return [{ list, fields: fields.map(({ name, type }) => selectionOf(name, type)) }];
});

describe('the number of statements', () => {
  test.for(lists)(
    'of a page of $list does not grow with its rows',
    async ({ list, fields }, { ask }) => {
      const grown: string[] = [];
      for (const field of fields) {
        const count = (first: number) =>
          statementsOf(async () => {
            const { errors } = await ask(`{ ${list}(first: ${first}) { nodes { ${field} } } }`);
            expect(errors, field).toBeUndefined();
          });
        const few = await count(2);
        const many = await count(12);
        if (many.length > few.length) grown.push(`${field}: ${few.length} → ${many.length}`);
      }
      expect(grown).toEqual([]);
    },
  );
});
