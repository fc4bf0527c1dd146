import { expect } from 'vitest';
import { aDraft } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { use } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

const record = {
  id: expect.stringMatching(/^inv_li_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  invoiceId: expect.stringMatching(/^inv_/),
  quantity: 2,
  priceId: null,
  description: null,
  price: 500,
  type: 'static',
  pricingModelId: expect.stringMatching(/^pricing_model_/),
};

test('GET /invoice-line-items: 200 with the documented envelope', async ({ api, session }) => {
  const { id } = await aDraft(session, {
    lines: [
      { quantity: 2, price: 500 },
      { quantity: 2, price: 500 },
    ],
  });
  const { status, body } = await api('GET', '/invoice-line-items?limit=1');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      data: [{ ...record, invoiceId: id }],
      hasMore: true,
      total: 2,
      nextCursor: expect.any(String),
    },
  });
});

test('a usage line names its ledger and the billed usage, as its published variant does', async ({
  api,
  session,
}) => {
  const it = await aBilled(session);
  await use(session, it, '1.5');
  await it.to('2026-02-02');
  const { body } = await api('GET', '/invoice-line-items?limit=100');
  const lines = body.data.filter(({ type }: { type: string }) => type === 'usage');
  expect(lines).toEqual([
    {
      ...record,
      type: 'usage',
      quantity: 1.5,
      price: 100,
      priceId: expect.stringMatching(/^price_/),
      description: expect.any(String),
      billingRunId: expect.stringMatching(/^billing_run_/),
      ledgerAccountId: expect.stringMatching(/\w/),
      ledgerAccountCredit: 1.5,
    },
  ]);
});

test('GET /invoice-line-items: 400 for a limit that is none', async ({ api }) => {
  const { status, body } = await api('GET', '/invoice-line-items?limit=0');
  expect({ status, issues: body.issues }).toEqual({
    status: 400,
    issues: [{ message: expect.stringMatching(/^limit: /) }],
  });
});

test('GET /invoice-line-items: the total follows when lines are replaced', async ({
  api,
  session,
}) => {
  const { id } = await aDraft(session, {
    lines: [
      { quantity: 1, price: 1 },
      { quantity: 1, price: 2 },
    ],
  });
  await api('PUT', `/invoices/${id}`, { invoiceLineItems: [{ quantity: 1, price: 3 }] });
  const { body } = await api('GET', '/invoice-line-items');
  expect(body).toMatchObject({ total: 1, data: [{ price: 3 }] });
});

test('GET /invoice-line-items/{id}: 200 with the documented record', async ({ api, session }) => {
  await aDraft(session);
  const { id } = (await api('GET', '/invoice-line-items')).body.data[0];
  const { status, body } = await api('GET', `/invoice-line-items/${id}`);
  expect({ status, body }).toEqual({ status: 200, body: { ...record, id } });
});

const paths = ['/invoice-line-items', '/invoice-line-items/x'];

test.for(paths)('401 for GET %s without a key', async (path, { api }) => {
  expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(paths)('403 for GET %s with a publishable key', async (path, { api, session }) => {
  const key = await aKey(session, 'publishable');
  const answer = await api('GET', path, undefined, { key });
  expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
});

test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
  const { session } = await aTenant(database.orm.em);
  const draft = await aDraft(session);
  const [line] = await draft.lineItems.loadItems();
  for (const id of ['inv_li_none', line?.id]) {
    const { status, body } = await api('GET', `/invoice-line-items/${id}`);
    expect({ status, body }).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: `InvoiceLineItem ${id} not found`, issues: [] },
    });
  }
});
