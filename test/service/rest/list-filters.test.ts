import { describe, expect } from 'vitest';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import { schema } from '#schema/index.ts';
import {
  anOpenInvoice,
  aPaidInvoice,
  aPaymentMethod,
  aResource,
  aSubscription,
  aUsageMeter,
} from '../../support/factories.ts';
import { type Answer, test } from '../../support/test.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: { readonly type?: string };
}

const { paths } = openApiOf(routes, schema) as {
  paths: Record<string, { get?: { parameters: readonly Parameter[] } }>;
};

const parametersOf = (path: string) =>
  (paths[`/api/v1${path}`]?.get?.parameters ?? []).filter((one) => one.in === 'query');

const ids = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
};

const issues = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(400);
  return body.issues.map(({ message }: { message: string }) => message);
};

describe('Lists over REST', () => {
  test('have the conditions and the order that the graph has', () => {
    const names = (path: string) => parametersOf(path).map(({ name }) => name);
    expect(names('/invoices')).toEqual(
      expect.arrayContaining([
        ...['limit', 'cursor', 'sort', 'customerId', 'subscriptionId', 'status', 'overdue'],
        ...['dueDateFrom', 'dueDateTo', 'totalMin', 'totalMax', 'search', 'invoiceNumberContains'],
      ]),
    );
    const paged = routes.filter(({ fields: [field] }) =>
      field?.arguments?.some(({ name }) => name.value === 'first'),
    );
    expect(paged.length).toBeGreaterThan(25);
    for (const { path } of paged.filter(({ path }) => !path.includes(':'))) {
      const own = new Set(names(path));
      expect(own.size, path).toBe(names(path).length);
      expect([...own], path).toEqual(expect.arrayContaining(['id', 'limit']));
      expect([...own], path).toContain('sort');
    }
  });

  test('describe each parameter, with an example where the type does not show one', () => {
    for (const parameter of parametersOf('/subscriptions')) {
      expect(parameter.description, parameter.name).toMatch(/\w{3}/);
    }
    const of = (name: string) => parametersOf('/invoices').find((one) => one.name === name);
    expect(of('status')).toMatchObject({
      description: expect.stringContaining('`status=awaiting_payment_confirmation,draft`'),
      schema: { type: 'array', minItems: 1, maxItems: 100 },
    });
    expect(of('dueDateFrom')?.description).toContain('`dueDateFrom=2026-01-01T00:00:00Z`');
    expect(of('totalMin')?.description).toContain('inclusive');
  });

  test('filter by ids and several statuses, and sort', async ({ api, session }) => {
    const open = await anOpenInvoice(session);
    const paid = await aPaidInvoice(session);
    const all = await api('GET', '/invoices');
    expect(ids(all)).toEqual([open.id, paid.id]);
    expect(ids(await api('GET', '/invoices?status=open'))).toEqual([open.id]);
    expect(ids(await api('GET', '/invoices?status=open,paid'))).toHaveLength(2);
    expect(ids(await api('GET', '/invoices?status=void&status=paid'))).toEqual([paid.id]);
    expect(ids(await api('GET', `/invoices?customerId=${paid.customerId}`))).toEqual([paid.id]);
    const both = `customerId=${paid.customerId},${open.customerId}`;
    const newest = await api('GET', `/invoices?${both}&sort=created_at_desc&limit=1`);
    expect(ids(newest)).toEqual([paid.id]);
    expect(newest.body).toMatchObject({ total: 2, hasMore: true });
    const path = `/invoices?${both}&sort=created_at_desc&limit=1&cursor=${newest.body.nextCursor}`;
    expect(ids(await api('GET', path))).toEqual([open.id]);
    const other = await api('GET', `/invoices?limit=1&cursor=${newest.body.nextCursor}`);
    expect(issues(other)).toEqual([expect.stringMatching(/^cursor: /)]);
  });

  test('filter by ranges, parts of texts and flags', async ({ api, session }) => {
    const paid = await aPaidInvoice(session);
    const total = Number(paid.total);
    expect(ids(await api('GET', `/invoices?totalMin=${total}&totalMax=${total}`))).toEqual([
      paid.id,
    ]);
    expect(ids(await api('GET', `/invoices?totalMin=${total + 1}`))).toEqual([]);
    const from = '/invoices?createdAtFrom=2020-01-01T00:00:00Z';
    expect(ids(await api('GET', from))).toEqual([paid.id]);
    expect(ids(await api('GET', `${from}&createdAtTo=1577836800001`))).toEqual([]);
    for (const zone of ['+02:00', '%2B02:00', '-02:00']) {
      const zoned = `/invoices?createdAtFrom=2020-01-01T00:00:00${zone}`;
      expect(ids(await api('GET', zoned)), zone).toEqual([paid.id]);
    }
    const { body } = await api('POST', '/customers', {
      customer: { name: 'Love, Ada', email: 'ada@example.com', externalId: 'ada' },
    });
    const { customer } = body.data;
    expect(ids(await api('GET', '/customers?nameContains=ove%2C'))).toEqual([customer.id]);
    expect(ids(await api('GET', '/customers?name=Love%2C%20Ada'))).toEqual([customer.id]);
    expect(ids(await api('GET', '/customers?archived=true'))).toEqual([]);
    await aUsageMeter(session, { slug: 'a' });
    const b = await aUsageMeter(session, { slug: 'b' });
    expect(ids(await api('GET', '/usage-meters?slug=b&slug=c'))).toEqual([b.id]);
  });

  test('filter subscriptions, payments and payment methods of one customer', async ({
    api,
    session,
  }) => {
    const { id, customerId } = await aSubscription(session);
    const { customerId: other } = await aSubscription(session);
    const method = await aPaymentMethod(session, other);
    expect(
      ids(await api('GET', `/subscriptions?customerId=${customerId}&isFreePlan=false`)),
    ).toEqual([id]);
    const payments = (await api('GET', `/payments?subscriptionId=${id}&status=succeeded`)).body;
    expect(
      payments.data.every((one: { customerId: string }) => one.customerId === customerId),
    ).toBe(true);
    const methods = await api('GET', `/payment-methods?customerId=${other}`);
    expect(ids(methods)).toContain(method.id);
    expect(methods.body.data.every((one: { customerId: string }) => one.customerId === other)).toBe(
      true,
    );
  });

  test('filter by entries of metadata, whose values have a type', async ({ api }) => {
    const made = async (externalId: string, metadata: object) => {
      const customer = { name: 'Ada', email: 'ada@example.com', externalId, metadata };
      return (await api('POST', '/customers', { customer })).body.data.customer.id;
    };
    const text = await made('text', { plan: 'pro', seats: '5', 'a[b]': '"' });
    const number = await made('number', { plan: 'pro', seats: 5, beta: true });
    const found = async (query: string) => ids(await api('GET', `/customers?${query}`));
    expect(await found('metadata[plan]=pro')).toEqual([text, number]);
    expect(await found('metadata%5Bplan%5D=pro&metadata%5Bseats%5D=5')).toEqual([number]);
    expect(await found('metadata[plan]=pro&metadata[seats]=%225%22')).toEqual([text]);
    expect(await found('metadata[beta]=true&externalId=number')).toEqual([number]);
    expect(await found('metadata[beta]=%22true%22')).toEqual([]);
    expect(await found('metadata[a[b]]=%22')).toEqual([text]);
    expect(await found('metadata[seats]=05')).toEqual([]);
    const { body } = await api('GET', '/customers?metadata[plan]=pro&limit=1');
    expect(body).toMatchObject({ total: 2, hasMore: true });
    const other = await api('GET', `/customers?metadata[plan]=free&cursor=${body.nextCursor}`);
    expect(issues(other)).toEqual([expect.stringMatching(/^cursor: /)]);
    expect(parametersOf('/usage-events').find(({ name }) => name === 'properties')).toMatchObject({
      style: 'deepObject',
      description: expect.stringContaining('`properties[plan]=pro`'),
      schema: { type: 'object' },
    });
  });

  test('sort events, and filter and sort resources, which have no pages', async ({
    api,
    session,
  }) => {
    const [b, a] = [
      await aResource(session, { slug: 'b' }),
      await aResource(session, { slug: 'a' }),
    ];
    const resources = async (query: string) => {
      const { status, body } = await api('GET', `/resources?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.resources.map(({ id }: { id: string }) => id);
    };
    expect(await resources('')).toEqual([b.id, a.id]);
    expect(await resources('sort=created_at_desc')).toEqual([a.id, b.id]);
    expect(await resources('slug=b')).toEqual([b.id]);
    expect(await resources('active=false')).toEqual([]);
    const events = ids(await api('GET', '/events?objectType=Resource'));
    expect(events).toHaveLength(2);
    const newest = await api('GET', '/events?objectType=Resource&sort=sequence_desc&limit=1');
    expect(ids(newest)).toEqual([events[1]]);
    const next = `/events?objectType=Resource&sort=sequence_desc&after=${newest.body.nextCursor}`;
    expect(ids(await api('GET', next))).toEqual([events[0]]);
  });

  test.for([
    ['/customers?metadata=pro', /^metadata: is not a query parameter .* takes .*metadata\[key\], /],
    ['/customers?metadata[]=pro', /^metadata\[\]: must have a key, such as metadata\[plan\]=pro/],
    ['/customers?metadata[a]=1&metadata[a]=2', /^metadata\[a\]: must be one value/],
    ['/customers?metadata[a]=%00', /^metadata\[a\]: must not contain the character U\+0000/],
    ['/customers?properties[a]=1', /^properties\[a\]: is not a query parameter /],
    [
      `/customers?${Array.from({ length: 101 }, (_, n) => `metadata[k${n}]=1`).join('&')}`,
      /^metadata\[key\]: must have at most 100 items/,
    ],
    ['/events?sort=newest', /^sort: must be one of sequence_asc, sequence_desc/],
    ['/resources?sort=newest', /^sort: must be one of created_at_asc, /],
    ['/invoices?status=opn', /^status: must be one of .*draft, open, /],
    ['/invoices?sort=total', /^sort: must be one of created_at_asc, .*total_desc/],
    ['/invoices?customerId=', /^customerId: must not be empty/],
    ['/invoices?overdue=yes', /^overdue: must be true or false/],
    ['/invoices?overdue=true&overdue=false', /^overdue: must be one value/],
    ['/invoices?dueDateFrom=soon', /^dueDateFrom: /],
    ['/invoices?totalMin=1.5', /^totalMin: /],
    ['/invoices?customer=a', /^customer: is not a query parameter .* takes .*customerId, .*sort/],
    ['/invoices?totalCurrency=DOLLARS', /^totalCurrency: /],
    [`/customers?nameContains=${'x'.repeat(501)}`, /^nameContains: /],
    [`/customers?${'externalId=a&'.repeat(101)}`, /^externalId: must be at most 100 values/],
    ['/webhooks/webhook_x/deliveries?status=lost', /^status: must be one of /],
  ] as const)(
    '400 for %s, with the parameter and what is allowed',
    async ([path, message], { api }) => {
      expect(issues(await api('GET', path))).toEqual([expect.stringMatching(message)]);
    },
  );
});
