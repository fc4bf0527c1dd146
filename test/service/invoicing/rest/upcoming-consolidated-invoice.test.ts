import { expect } from 'vitest';
import { aCustomer } from '../../../support/factories.ts';
import { aConsolidatingCustomer } from '../../../support/records/consolidated.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const pathOf = (id: string) => `/customers/${id}/upcoming-consolidated-invoice`;

const line = {
  ...{ type: 'static', description: 'Pro', quantity: 1, usageQuantity: null },
  priceId: expect.stringMatching(/^price_/),
};

test('GET /customers/{id}/upcoming-consolidated-invoice: 200 with the documented record', async ({
  api,
  session,
}) => {
  const { timeline, ids } = await aConsolidatingCustomer(session, 'sandbox_success', [
    { unitPrice: 1_000 },
    { unitPrice: 234 },
    { unitPrice: 5, doNotCharge: true },
  ]);
  const customerId = timeline.customer.id;
  const at = Date.UTC(2026, 1, 1);
  const common = { currency: 'USD', collectionMethod: 'charge_automatically', taxAmount: 0 };
  const dates = { asOf: Date.UTC(2026, 0, 1), invoiceDate: at, dueDate: at };
  const member = (place: number, amount: number) => ({
    ...{ subscriptionId: ids[place], customerId, purpose: 'period', ...common, ...dates },
    ...{ billingPeriodStartDate: at, billingPeriodEndDate: Date.UTC(2026, 2, 1) },
    ...{ taxType: null, taxRatePercentage: null, taxInclusive: false, prepaidApplied: 0 },
    ...{ subtotal: amount, total: amount, creditApplied: 0, amountDue: amount },
    lines: [{ ...line, price: amount, amount }],
  });
  const { status, body } = await api('GET', pathOf(customerId));
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      upcomingConsolidatedInvoice: {
        ...{ customerId, ...common, ...dates, scheduledFor: at },
        ...{ subtotal: 1_234, total: 1_234, creditApplied: 0, amountDue: 1_234 },
        invoices: [member(0, 1_000), member(1, 234)],
        leftOut: [
          {
            ...{ subscriptionId: ids[2], reason: 'never_charged' },
            ...{ explanation: 'It is never charged.', nextAt: expect.any(Number) },
          },
        ],
      },
    },
  });
});

test('GET /customers/{id}/upcoming-consolidated-invoice: 200 without a document for a customer that does not consolidate', async ({
  api,
  session,
}) => {
  const { id } = await aCustomer(session);
  const { status, body } = await api('GET', pathOf(id));
  expect(status).toBe(200);
  expect(body.upcomingConsolidatedInvoice).toMatchObject({ invoiceDate: null, invoices: [] });
});

test('GET /customers/{id}/upcoming-consolidated-invoice: 400 for an unknown parameter', async ({
  api,
  session,
}) => {
  const { id } = await aCustomer(session);
  expect(await api('GET', `${pathOf(id)}?nothing=1`)).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST' },
  });
});

test('401 for GET /customers/{id}/upcoming-consolidated-invoice without a key', async ({ api }) => {
  expect(await api('GET', pathOf('x'), undefined, { key: null })).toMatchObject({ status: 401 });
});

test('403 for GET /customers/{id}/upcoming-consolidated-invoice with a publishable key', async ({
  api,
  session,
}) => {
  const key = await aKey(session, 'publishable');
  expect(await api('GET', pathOf('x'), undefined, { key })).toMatchObject({ status: 403 });
});

test('404 for the customer of another tenant and an unknown one', async ({ api, database }) => {
  const elsewhere = await aTenant(database.orm.em);
  const theirs = await aCustomer(elsewhere.session);
  for (const id of ['cust_none', theirs.id]) {
    const { status, body } = await api('GET', pathOf(id));
    expect({ status, body }).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: `Customer ${id} not found`, issues: [] },
    });
  }
});
