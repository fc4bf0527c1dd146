import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import {
  aCustomer,
  aDraft,
  anOpenInvoice,
  aPaidInvoice,
  aPaymentMethod,
  aProduct,
  aSubscription,
} from '../../../support/factories.ts';
import {
  invoiceRecord as invoice,
  lineRecord as line,
} from '../../../support/records/invoice-records.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const lines = [{ quantity: 2, price: 500 }];
const link = (kind: string) =>
  expect.stringMatching(new RegExp(`^http://test/documents/${kind}/inv_\\w+\\?expires=\\d+&`));

describe('POST /invoices', () => {
  test('200 with a draft and its lines', async ({ api, session }) => {
    const { id } = await aCustomer(session);
    const product = await aProduct(session);
    const priceId = (await product.prices.loadItems())[0]?.id;
    const { status, body } = await api('POST', '/invoices', {
      invoice: { customerId: id, memo: 'Thank you', dueDate: 1_800_000_000_000 },
      invoiceLineItems: [
        { quantity: 2, price: 500, description: 'Work', priceId },
        { quantity: 0, price: 7 },
      ],
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        invoice: { ...invoice, customerId: id, memo: 'Thank you', dueDate: 1_800_000_000_000 },
        invoiceLineItems: [
          { ...line, invoiceId: body.invoice.id, description: 'Work', priceId },
          { ...line, invoiceId: body.invoice.id, quantity: 0, price: 7 },
        ],
      },
    });
  });

  test('the numbers of a customer’s invoices count on without a gap', async ({ api, session }) => {
    const { id, invoiceNumberBase } = await aCustomer(session);
    const draft = { invoice: { customerId: id }, invoiceLineItems: lines };
    const refused = { ...draft, invoiceLineItems: [{ quantity: 1, price: 1, priceId: 'x' }] };
    const answers = await Promise.all(
      [draft, refused, draft, refused, draft].map((body) => api('POST', '/invoices', body)),
    );
    const numbers = answers.flatMap(({ body }) => body.invoice?.invoiceNumber ?? []).sort();
    expect(numbers).toEqual([0, 1, 2].map((count) => `${invoiceNumberBase}-0000${count}`));
  });

  test.for([
    ['no lines', { invoiceLineItems: [] }, 'invoiceLineItems'],
    ['more than 500 lines', { invoiceLineItems: Array(501).fill(lines[0]) }, 'invoiceLineItems'],
    [
      'lines that are below 0 together',
      { invoiceLineItems: [{ quantity: 1, price: -1 }] },
      'invoiceLineItems',
    ],
    [
      'part of a minor unit',
      { invoiceLineItems: [...lines, { quantity: 1, price: 0.5 }] },
      'invoiceLineItems.1.price',
    ],
    [
      'an unknown price',
      { invoiceLineItems: [{ ...lines[0], priceId: 'price_none' }] },
      'invoiceLineItems.0.priceId',
    ],
    [
      'more than can be counted',
      { invoiceLineItems: [{ quantity: 2 ** 40, price: 2 ** 20 }] },
      'invoiceLineItems',
    ],
    ['an unknown customer', { invoice: { customerId: 'cust_none' } }, 'invoice.customerId'],
  ] as const)('400 for %s, and nothing is written', async ([_, wrong, field], { api, session }) => {
    const { id: customerId } = await aCustomer(session);
    const input = { invoice: { customerId }, invoiceLineItems: lines, ...wrong };
    const { status, body } = await api('POST', '/invoices', input);
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ message: expect.stringContaining(`${field}: `) }],
    });
    expect(await session.em.fork().count(Invoice)).toBe(0);
  });

  test('400 for a customer and a price of another tenant', async ({ api, session, database }) => {
    const { session: other } = await aTenant(database.orm.em);
    const product = await aProduct(other);
    const priceId = (await product.prices.loadItems())[0]?.id;
    const own = (await aCustomer(session)).id;
    const foreign = (await aCustomer(other)).id;
    for (const [customerId, items, field] of [
      [foreign, lines, 'invoice.customerId'],
      [own, [{ ...lines[0], priceId }], 'invoiceLineItems.0.priceId'],
    ] as const) {
      const answer = await api('POST', '/invoices', {
        invoice: { customerId },
        invoiceLineItems: items,
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { issues: [{ message: expect.stringContaining(`${field}: `) }] },
      });
    }
  });
});

describe('GET /invoices', () => {
  test('200 with the documented envelope, oldest first', async ({ api, session }) => {
    const { id: customerId } = await aCustomer(session);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await aDraft(session, { customerId })).id);
    const { status, body } = await api('GET', '/invoices?limit=2');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          { ...invoice, id: ids[0], invoiceNumber: expect.any(String) },
          { ...invoice, id: ids[1], invoiceNumber: expect.any(String) },
        ],
        hasMore: true,
        total: 3,
        nextCursor: expect.any(String),
      },
    });
    const next = await api('GET', `/invoices?limit=2&cursor=${body.nextCursor}`);
    expect(next.body).toEqual({
      data: [expect.objectContaining({ id: ids[2] })],
      hasMore: false,
      total: 3,
      currentCursor: body.nextCursor,
    });
  });

  test.for(['limit=0', 'limit=101', 'limit=x', 'cursor=x'])(
    '400 for %s',
    async (query, { api }) => {
      const { status, body } = await api('GET', `/invoices?${query}`);
      expect({ status, issues: body.issues }).toEqual({
        status: 400,
        issues: [{ message: expect.stringMatching(/^(limit|cursor): /) }],
      });
    },
  );
});

describe('GET /invoices/{id}', () => {
  test('200 with the invoice next to its lines', async ({ api, session }) => {
    const { id } = await aDraft(session);
    const { status, body } = await api('GET', `/invoices/${id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { invoice: { ...invoice, id }, invoiceLineItems: [{ ...line, invoiceId: id }] },
    });
  });

  test('only standalone invoices and usage lines have the keys of their published variants', async ({
    api,
    session,
  }) => {
    const { customerId } = await aPaidInvoice(session);
    const product = await aProduct(session);
    const priceId = (await product.prices.loadItems())[0]?.id;
    await aSubscription(session, { customerId, priceId });
    const { body } = await api('GET', '/invoices?limit=100');
    const ofStripe = ['stripePaymentIntentId', 'stripeTaxCalculationId', 'stripeTaxTransactionId'];
    const ofLedger = ['billingRunId', 'ledgerAccountId', 'ledgerAccountCredit'];
    const types = new Set<string>();
    for (const one of body.data) {
      types.add(one.type);
      const keys = ofStripe.filter((key) => key in one);
      expect(keys).toEqual(one.type === 'standalone' ? ofStripe : []);
      const { invoiceLineItems } = (await api('GET', `/invoices/${one.id}`)).body;
      for (const line of invoiceLineItems)
        expect(ofLedger.filter((key) => key in line)).toEqual([]);
    }
    expect([...types].sort()).toEqual(['standalone', 'subscription']);
  });

  test('200 for one of a subscription, paid, with its links', async ({ api, session }) => {
    const subscription = await aPaidSubscription(session);
    const { body: all } = await api('GET', '/invoices');
    const { status, body } = await api('GET', `/invoices/${all.data[0].id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        invoice: {
          ...invoice,
          type: 'subscription',
          status: 'paid',
          billingRunId: expect.stringMatching(/^billing_run_/),
          subscriptionId: subscription.id,
          billingPeriodId: expect.stringMatching(/^billing_period_/),
          billingPeriodStartDate: subscription.currentBillingPeriodStart?.getTime(),
          billingPeriodEndDate: subscription.currentBillingPeriodEnd?.getTime(),
          pdfURL: link('invoice'),
          receiptPdfURL: link('receipt'),
          // Keys of standalone invoices only.
          stripePaymentIntentId: undefined,
          stripeTaxCalculationId: undefined,
          stripeTaxTransactionId: undefined,
        },
        invoiceLineItems: [
          {
            ...line,
            quantity: 1,
            price: 1_000,
            priceId: subscription.priceId,
            description: expect.any(String),
          },
        ],
      },
    });
  });

  test('an open one has a link to itself and none to a receipt', async ({ api, session }) => {
    const { id } = await anOpenInvoice(session);
    const { body } = await api('GET', `/invoices/${id}`);
    expect(body.invoice).toMatchObject({ pdfURL: link('invoice'), receiptPdfURL: null });
  });
});

const endpoints = [
  ['GET', '/invoices', undefined],
  ['GET', '/invoices/x', undefined],
  ['GET', '/invoices/x/explain', undefined],
  ['POST', '/invoices', { invoice: { customerId: 'x' }, invoiceLineItems: lines }],
  ['PUT', '/invoices/x', { invoice: {} }],
  ['POST', '/invoices/x/finalize', undefined],
  ['POST', '/invoices/x/void', undefined],
  ['POST', '/invoices/x/mark-uncollectible', undefined],
  ['POST', '/invoices/x/pay', {}],
] as const;

test.for(endpoints)('401 for %s %s without a key', async ([method, path, body], { api }) => {
  expect(await api(method, path, body, { key: null })).toMatchObject({ status: 401 });
});

test.for(endpoints)(
  '403 for %s %s with a publishable key',
  async ([method, path, body], { api, session }) => {
    const key = await aKey(session, 'publishable');
    const answer = await api(method, path, body, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
  },
);

test.for(endpoints.filter(([, path]) => path.includes('/x')))(
  '404 for %s %s of an unknown id and of another tenant',
  async ([method, path, body], { api, database }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aDraft(other.session);
    for (const unknown of ['inv_none', id]) {
      const answer = await api(method, path.replace('/x', `/${unknown}`), body);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message: `Invoice ${unknown} not found`, issues: [] },
      });
    }
  },
);

async function aPaidSubscription(session: Session) {
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId);
  return aSubscription(session, { customerId });
}
