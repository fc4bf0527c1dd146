import { describe, expect } from 'vitest';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import { schema } from '#schema/index.ts';
import {
  anOpenInvoice,
  aPaidInvoice,
  aPaymentMethod,
  aSubscription,
  aUsageMeter,
} from '../support/factories.ts';
import { type Answer, test } from '../support/test.ts';

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
      if (path !== '/events') expect([...own], path).toContain('sort');
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

  test.for([
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
