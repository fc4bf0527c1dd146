// @module-tag long
import {
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { describe, expect } from 'vitest';
import { schema } from '#schema/index.ts';
import { aCustomer, anOpenInvoice, aPaidInvoice } from '../../support/factories.ts';
import { oneOfEach } from '../../support/records/one-of-each.ts';
import { aTenant } from '../../support/tenant.ts';
import { test as base, graphqlOf } from '../../support/test.ts';

type Row = Readonly<Record<string, unknown>>;
type Ask = ReturnType<typeof graphqlOf>;

/** The rows of the file are made once: the tests only read them. */
const test = base
  .extend('owner', { scope: 'file' }, async ({ database }) => {
    const owner = await aTenant(database.orm.em);
    await oneOfEach(owner.session);
    await oneOfEach(owner.session);
    await anOpenInvoice(owner.session);
    await aPaidInvoice(owner.session);
    return owner;
  })
  .extend('graphql', ({ gateway, owner }) => graphqlOf(gateway, owner.key));

const isConnection = (field: GraphQLField<unknown, unknown>) =>
  getNamedType(field.type).name.endsWith('Connection');
const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(isConnection);

function whereFields(list: GraphQLField<unknown, unknown>): GraphQLInputField[] {
  const type = list.args.find(({ name }) => name === 'where')?.type;
  return isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

function ordersOf(list: GraphQLField<unknown, unknown>): string[] {
  const type = list.args.find(({ name }) => name === 'orderBy')?.type;
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
}

function outputFields(list: GraphQLField<unknown, unknown>) {
  const type = schema.getType(getNamedType(list.type).name.replace('Connection', ''));
  return isObjectType(type) ? type.getFields() : {};
}

const enumOf = (name: string) => {
  const type = schema.getType(name);
  return isEnumType(type) ? type.getValues().map((value) => value.name) : [];
};

/** Values that a field accepts, as GraphQL literals. */
function literalsFor({ type }: GraphQLInputField): string[] {
  const { name } = getNamedType(type);
  const known: Readonly<Record<string, string[]>> = {
    IdWhere: ['{ is: "none" }', '{ in: ["none", "some\\u0000"] }', '{ in: [] }', '{}'],
    TextWhere: ['{ is: "none", in: ["none", "some"], contains: "O%_\\\\\'" }', '{ in: [] }'],
    TimeWhere: ['{ from: "2020-01-01", to: "2030-01-01" }', '{ from: 0 }', '{ to: null }'],
    AmountWhere: ['{ min: 0, max: 9007199254740991 }', '{ max: 7, currency: "JPY" }', '{}'],
    CountWhere: ['{ min: 0, max: 9007199254740991 }'],
    DecimalWhere: ['{ min: "0.5", max: 7 }'],
    MetadataWhere: ['[{ key: "k", value: 1 }, { key: "l", value: "1" }]', '[]'],
    EventTypeWhere: ['{ is: "customer.created", in: ["customer.created", "invoice.paid"] }'],
    Boolean: ['true', 'false'],
    String: ['"a"', '"ab"', '"abc"', '"%_\\\\\'"', '"  "'],
  };
  const values = enumOf(name.replace(/Where$/, ''));
  return known[name] ?? [`{ is: ${values[0]}, in: [${values.join(', ')}] }`, '{ in: [] }'];
}

const largestDocument = 30;

/** Executes parts of a query, in documents that are not too large. */
async function all(graphql: Ask, parts: readonly string[]) {
  const results: { totalCount: number; nodes: Row[] }[] = [];
  for (let from = 0; from < parts.length; from += largestDocument) {
    const aliased = parts.slice(from, from + largestDocument).map((part, n) => `a${n}: ${part}`);
    const { data, errors } = await graphql(`{ ${aliased.join('\n')} }`);
    expect(errors).toBeUndefined();
    results.push(...(Object.values(data) as typeof results));
  }
  return results;
}

/** All rows of a list with their plain fields. */
async function rowsOf(graphql: Ask, list: GraphQLField<unknown, unknown>, args = '') {
  const plain = Object.values(outputFields(list)).filter(({ type, args }) => {
    const named = getNamedType(type);
    return args.length === 0 && (isScalarType(named) || isEnumType(named));
  });
  const fields = plain.map(({ name }) => name).join(' ');
  const rows: Row[] = [];
  let after = '';
  do {
    const { data, errors } = await graphql(
      `{ page: ${list.name}(first: 100 ${after} ${args}) { pageInfo { hasNextPage endCursor } nodes { ${fields} } } }`,
    );
    expect(errors).toBeUndefined();
    rows.push(...data.page.nodes);
    const { hasNextPage, endCursor } = data.page.pageInfo;
    after = hasNextPage ? `after: "${endCursor}"` : '';
  } while (after !== '');
  return rows;
}

/** Conditions that a row with this value meets, with what they mean. */
function conditionsOn(type: string, value: unknown): [string, (other: unknown) => boolean][] {
  const literal = JSON.stringify(value);
  const same = (other: unknown) => other === value;
  if (type === 'IdWhere') return [[`{ is: ${literal} }`, same]];
  if (type === 'TextWhere') {
    const part = String(value).slice(1, 4).toUpperCase();
    const has = (other: unknown) => other != null && String(other).toUpperCase().includes(part);
    return [
      [`{ in: [${literal}, "none"] }`, same],
      [`{ contains: ${JSON.stringify(part)} }`, has],
    ];
  }
  const [more, less] = [
    (other: unknown) => other != null && (other as number) >= (value as number),
    (other: unknown) => other != null && (other as number) < (value as number),
  ];
  if (type === 'TimeWhere')
    return [
      [`{ from: ${literal} }`, more],
      [`{ to: ${literal} }`, less],
    ];
  if (type === 'AmountWhere' || type === 'CountWhere' || type === 'DecimalWhere')
    return [
      [`{ min: ${literal} }`, more],
      [`{ max: ${literal} }`, (other) => other != null && !(Number(other) > Number(value))],
    ];
  if (type === 'Boolean') return [[`${value}`, same]];
  return type.endsWith('Where') && type !== 'MetadataWhere'
    ? [[`{ in: [${type === 'EventTypeWhere' ? literal : value}] }`, same]]
    : [];
}

/** Arguments of lists in addition to those of every list. */
const ownArguments: Readonly<Record<string, readonly string[]>> = {
  // Those of the live list.
  events: ['types'],
  // Refuses an unknown webhook.
  webhookDeliveries: ['webhookId'],
};

describe('Every list', () => {
  test('has where and an order of its own, and no other conditions but the object above it', () => {
    expect(lists.length).toBeGreaterThan(27);
    for (const list of lists) {
      expect([list.name, whereFields(list).length > 1]).toEqual([list.name, true]);
      expect([list.name, ordersOf(list).length > 1]).toEqual([list.name, true]);
      const paged = ['after', 'before', 'first', 'last', 'orderBy', 'where'];
      const own = list.args.map(({ name }) => name).filter((name) => !paged.includes(name));
      expect([list.name, own]).toEqual([list.name, ownArguments[list.name] ?? []]);
    }
  });

  test.for(lists.map(({ name }) => name))(
    '%s accepts each condition and each order',
    async (name, { graphql }) => {
      const list = lists.find((list) => list.name === name);
      if (!list) throw new Error(name);
      const conditions = whereFields(list).flatMap((field) =>
        literalsFor(field).map((value) => `where: { ${field.name}: ${value} }`),
      );
      const orders = ordersOf(list).map((order) => `orderBy: ${order}, where: null`);
      await all(
        graphql,
        [...conditions, ...orders].map((args) => `${name}(${args}) { totalCount nodes { id } }`),
      );
    },
  );

  test.for(lists.map(({ name }) => name))(
    '%s returns exactly the rows that match, and counts them',
    async (name, { graphql }) => {
      const list = lists.find((list) => list.name === name);
      if (!list) throw new Error(name);
      const rows = await rowsOf(graphql, list);
      const pages = ['', '(first: 1)', '(last: 1)', '(first: 1, where: {})'];
      const wholes = await all(
        graphql,
        pages.map((args) => `${name}${args} { totalCount nodes { id } }`),
      );
      expect(wholes.map(({ totalCount }) => totalCount)).toEqual(pages.map(() => rows.length));
      const cases = whereFields(list).flatMap((field) => {
        const output = outputFields(list);
        const column = [`${field.name}Id`, field.name].find(
          (column) => column in output && !output[column]?.args.length,
        );
        if (!column) return [];
        const values = new Set(
          rows
            .map((row) => row[column])
            .filter((value) => value != null && typeof value !== 'object'),
        );
        return [...values].slice(0, 3).flatMap((value) =>
          conditionsOn(getNamedType(field.type).name, value).map(([literal, matches]) => ({
            part: `${name}(first: 100, where: { ${field.name}: ${literal} }) { totalCount nodes { id } }`,
            expected: rows.filter((row) => matches(row[column])).map(({ id }) => id),
          })),
        );
      });
      const found = await all(
        graphql,
        cases.map(({ part }) => part),
      );
      for (const [place, { part, expected }] of cases.entries()) {
        const { totalCount, nodes } = found[place] ?? { nodes: [] };
        expect([part, totalCount, nodes.map(({ id }) => id)]).toEqual([
          part,
          expected.length,
          expected.slice(0, 100),
        ]);
      }
    },
  );

  test.for(lists.map(({ name }) => name))(
    '%s is sorted in each order, and reversed in its opposite',
    async (name, { graphql }) => {
      const list = lists.find((list) => list.name === name);
      if (!list) throw new Error(name);
      for (const order of ordersOf(list).filter((order) => order.endsWith('_asc'))) {
        const up = await rowsOf(graphql, list, `orderBy: ${order}`);
        const down = await rowsOf(graphql, list, `orderBy: ${order.replace('_asc', '_desc')}`);
        const column = order.slice(0, -4).replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
        expect(down.map(({ id }) => id)).toEqual(up.map(({ id }) => id).toReversed());
        const values = up.map((row) => row[column]);
        const texts = values.some((value) => typeof value === 'string');
        const keys = values.map((value) =>
          texts ? String(value ?? '').toLowerCase() : (value ?? Infinity),
        );
        const sorted = keys.toSorted((a, b) =>
          (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0,
        );
        if (column in outputFields(list)) expect([order, keys]).toEqual([order, sorted]);
      }
    },
  );

  test.for(lists.map(({ name }) => name))(
    '%s shows another organization nothing, whatever the condition',
    async (name, { gateway, database }) => {
      const other = graphqlOf(gateway, (await aTenant(database.orm.em)).key);
      const list = lists.find((list) => list.name === name);
      if (!list || ['cronRuns'].includes(name)) return;
      const own = new Set((await rowsOf(other, list)).map(({ id }) => id));
      const conditions = whereFields(list).flatMap((field) =>
        ['Boolean', 'String'].includes(getNamedType(field.type).name)
          ? literalsFor(field).map((value) => `${field.name}: ${value}`)
          : [],
      );
      const found = await all(
        other,
        conditions.map((where) => `${name}(first: 100, where: { ${where} }) { nodes { id } }`),
      );
      expect(found.flatMap(({ nodes }) => nodes).filter(({ id }) => !own.has(id))).toEqual([]);
    },
  );
});

describe('where', () => {
  test('restricts nothing by a field that is null, and archived records are asked for', async ({
    graphql,
    owner,
  }) => {
    const archived = await aCustomer(owner.session);
    await graphql(
      `mutation { archiveCustomer(externalId: "${archived.externalId}") { customer { id } } }`,
    );
    const ids = async (args: string) => {
      const { data } = await graphql(
        `{ customers(first: 100, ${args}) { totalCount nodes { id } } }`,
      );
      expect(data.customers.totalCount).toBe(data.customers.nodes.length);
      return data.customers.nodes.map(({ id }: { id: string }) => id);
    };
    const own = `where: { id: { is: "${archived.id}" }`;
    expect(await ids(`${own} }`)).toEqual([]);
    expect(await ids(`${own}, archived: true, email: null }`)).toEqual([archived.id]);
    expect((await ids('where: { archived: null }')).length).toBeGreaterThan(2);
  });

  test('refuses more than 100 values, and a text that is too long, with their path', async ({
    graphql,
  }) => {
    const many = JSON.stringify(Array.from({ length: 101 }, (_, n) => `c${n}`));
    const cases = [
      [`customer: { in: ${many} }`, ['where', 'customer', 'in']],
      [`invoiceNumber: { contains: "${'a'.repeat(501)}" }`, ['where', 'invoiceNumber', 'contains']],
      [`search: "a\\u0000"`, ['where', 'search']],
    ] as const;
    for (const [where, path] of cases) {
      const { errors } = await graphql(`{ invoices(where: { ${where} }) { totalCount } }`);
      expect(errors[0].extensions).toMatchObject({ code: 'BAD_REQUEST', issues: [{ path }] });
    }
  });

  test('binds cursors: one of another condition or order is refused', async ({ graphql }) => {
    const page = (args: string) =>
      graphql(`{ customers(first: 1, ${args}) { pageInfo { endCursor } } }`);
    const { data } = await page('where: { email: { contains: "a" } }, orderBy: name_asc');
    const after = `after: "${data.customers.pageInfo.endCursor}"`;
    const same = await page(`${after}, where: { email: { contains: "a" } }, orderBy: name_asc`);
    expect(same.errors).toBeUndefined();
    for (const other of [
      'where: { email: { contains: "b" } }, orderBy: name_asc',
      'where: { email: { contains: "a" } }, orderBy: email_asc',
      'orderBy: name_asc',
    ]) {
      const { errors } = await page(`${after}, ${other}`);
      expect(errors[0].extensions).toMatchObject({
        code: 'BAD_REQUEST',
        issues: [{ path: ['after'] }],
      });
    }
  });

  test('asks for what is more than a column', async ({ graphql }) => {
    const count = async (part: string) => {
      const { data, errors } = await graphql(`{ list: ${part} { totalCount } }`);
      expect(errors).toBeUndefined();
      return data.list.totalCount as number;
    };
    const { data } = await graphql(`{
      invoices(first: 100) { nodes { id dueDate status customerId } }
      subscriptions(first: 100) { nodes { id status customerId price { productId } } }
      usageEvents(first: 100) { nodes { id transactionId customerId } }
      customers(first: 100) { nodes { id amountOwed } } }`);
    const [{ transactionId, customerId }] = data.usageEvents.nodes;
    expect(await count(`usageEvents(where: { transactionId: { is: "${transactionId}" } })`)).toBe(
      1,
    );
    expect(await count(`usageEvents(where: { customer: { is: "${customerId}" } })`)).toBe(
      data.usageEvents.nodes.filter((event: Row) => event.customerId === customerId).length,
    );
    const active = data.subscriptions.nodes.filter(({ status }: Row) => status === 'active');
    expect(await count('customers(where: { subscriptionStatus: { in: [active] } })')).toBe(
      new Set(active.map(({ customerId }: Row) => customerId)).size,
    );
    const { productId } = data.subscriptions.nodes.at(-1).price;
    expect(await count(`subscriptions(where: { product: { is: "${productId}" } })`)).toBe(
      data.subscriptions.nodes.filter(({ price }: { price: Row }) => price.productId === productId)
        .length,
    );
    const owing = data.customers.nodes.filter(
      ({ amountOwed }: { amountOwed: number }) => amountOwed > 0,
    );
    expect(owing.length).toBeGreaterThan(0);
    expect(await count('customers(where: { owes: true })')).toBe(owing.length);
    expect(await count('customers(where: { owes: false })')).toBe(
      data.customers.nodes.length - owing.length,
    );
    const mrr = (await graphql('{ organizationRevenue { totals { mrr } } }')).data
      ?.organizationRevenue;
    expect(await count('subscriptions(where: { mrr: { min: 1 } })')).toBeGreaterThan(0);
    expect(mrr === undefined || mrr).toBeTruthy();
  });
});

test('events come newest first, and of one cause, type or time', async ({ graphql }) => {
  const page = async (args: string) => {
    const { data, errors } = await graphql(
      `{ events(first: 100, ${args}) { totalCount nodes { sequence type causeId } } }`,
    );
    expect(errors).toBeUndefined();
    return data.events;
  };
  const newest = await page('orderBy: sequence_desc');
  const sequences = newest.nodes.map(({ sequence }: Row) => sequence);
  expect(sequences).toEqual(sequences.toSorted((a: number, b: number) => b - a));
  const next = await page(`orderBy: sequence_desc, after: "${sequences[4]}"`);
  expect(next.nodes[0].sequence).toBe(sequences[5]);
  const customers = await page('where: { type: { is: "customer.created" } }');
  expect(customers.totalCount).toBe(customers.nodes.length);
  expect(new Set(customers.nodes.map(({ type }: Row) => type))).toEqual(
    new Set(['customer.created']),
  );
});
