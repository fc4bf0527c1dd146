// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { aDraft, anOpenInvoice, aPaidInvoice, aProduct } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const commit = expect.stringMatching(/^v\d/);

const legacyInvoice = {
  id: expect.stringMatching(/^inv_\w{21}$/),
  createdAt: iso,
  updatedAt: iso,
  createdByCommit: commit,
  updatedByCommit: commit,
  livemode: false,
  purchaseId: null,
  customerId: expect.stringMatching(/^cust_/),
  organizationId: expect.stringMatching(/^org_/),
  ownerMembershipId: null,
  invoiceNumber: expect.stringMatching(/^[0-9A-F]{7}-00000$/),
  invoiceDate: iso,
  dueDate: iso,
  status: 'draft',
  memo: null,
  bankPaymentOnly: false,
  type: 'standalone',
  currency: 'USD',
  taxAmount: 0,
  subtotal: 1_000,
  applicationFee: null,
  taxState: null,
  taxRatePercentage: null,
  taxType: null,
  taxCountry: null,
  billingPeriodId: 'null',
  subscriptionId: 'null',
  billingPeriodStartDate: null,
  billingPeriodEndDate: null,
  pdfURL: null,
  receiptPdfURL: null,
};

const legacyLine = {
  id: expect.stringMatching(/^inv_li_\w{21}$/),
  createdAt: iso,
  updatedAt: iso,
  createdByCommit: commit,
  updatedByCommit: commit,
  livemode: false,
  invoiceId: expect.stringMatching(/^inv_/),
  quantity: 2,
  priceId: null,
  description: null,
  price: 500,
  type: 'static',
};

const current = { headers: { prefer: 'rendering=current' } };

describe('PUT /invoices/{id}', () => {
  test('200 in the older rendering: times as text, commits, null as text', async ({
    api,
    session,
  }) => {
    const { id } = await aDraft(session);
    const { status, body } = await api('PUT', `/invoices/${id}`, { invoice: { id, memo: 'New' } });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        invoice: { ...legacyInvoice, id, memo: 'New' },
        invoiceLineItems: [{ ...legacyLine, invoiceId: id }],
      },
    });
  });

  test('200 in the current rendering for a client that prefers it', async ({ api, session }) => {
    const { id } = await aDraft(session);
    const { body, headers } = await api('PUT', `/invoices/${id}`, { invoice: {} }, current);
    expect(body).toEqual((await api('GET', `/invoices/${id}`)).body);
    expect(headers.get('preference-applied')).toBe('rendering=current');
  });

  test('200 with everything that can change', async ({ api, session }) => {
    const { id } = await aDraft(session);
    const changes = {
      invoiceDate: 1_790_000_000_000,
      dueDate: 1_800_000_000_000,
      billingPeriodStartDate: 1_780_000_000_000,
      billingPeriodEndDate: 1_790_000_000_000,
      memo: 'Due soon',
      bankPaymentOnly: true,
      ownerMembershipId: 'membership_1',
      taxType: 'vat',
      taxCountry: 'DE',
      taxState: 'BE',
    };
    const { body } = await api('PUT', `/invoices/${id}`, { invoice: changes }, current);
    expect(body.invoice).toMatchObject({ ...changes, subtotal: 1_000, taxAmount: 0 });
  });

  test('200 where what cannot change is repeated', async ({ api, session }) => {
    const { id } = await aDraft(session);
    const { body } = await api('GET', `/invoices/${id}`);
    const answer = await api('PUT', `/invoices/${id}`, { invoice: body.invoice }, current);
    expect(answer).toMatchObject({ status: 200, body: { invoice: { id, pdfURL: null } } });
  });

  test('takes its own older answer back as it came, the text null among it', async ({
    api,
    session,
  }) => {
    const { id } = await aDraft(session);
    const { body } = await api('PUT', `/invoices/${id}`, { invoice: { memo: 'Twice' } });
    expect(body.invoice).toMatchObject({ subscriptionId: 'null', billingPeriodId: 'null' });
    const again = await api('PUT', `/invoices/${id}`, body);
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    expect(again.body.invoice).toEqual({ ...body.invoice, updatedAt: expect.any(String) });
  });

  test('200: the lines are replaced as a whole, and the amounts follow', async ({
    api,
    session,
  }) => {
    const product = await aProduct(session);
    const priceId = (await product.prices.loadItems())[0]?.id;
    const { id } = await aDraft(session, {
      lines: [
        { quantity: 1, price: 1 },
        { quantity: 1, price: 2 },
      ],
    });
    const invoiceLineItems = [
      { invoiceId: id, quantity: 3, price: 700, description: 'Third', priceId },
      { quantity: 1, price: 11, description: 'First' },
      { quantity: 5, price: 0 },
    ];
    const { body } = await api('PUT', `/invoices/${id}`, {
      invoice: { subtotal: 2_111 },
      invoiceLineItems,
    });
    expect(body.invoice.subtotal).toBe(2_111);
    expect(body.invoiceLineItems).toEqual(
      invoiceLineItems.map((line) => ({ ...legacyLine, ...line, invoiceId: id })),
    );
    const read = (await api('GET', `/invoices/${id}`)).body;
    expect(read.invoiceLineItems).toMatchObject(invoiceLineItems);
    expect(await session.em.fork().count(InvoiceLineItem)).toBe(3);
  });

  const line = { quantity: 1, price: 1 };
  test.for([
    ['the id of another', { invoice: { id: 'inv_other' } }, 'invoice.id'],
    ['another customer', { invoice: { customerId: 'cust_other' } }, 'invoice.customerId'],
    ['another type', { invoice: { type: 'purchase' } }, 'invoice.type'],
    ['another currency', { invoice: { currency: 'EUR' } }, 'invoice.currency'],
    ['another status', { invoice: { status: 'open' } }, 'invoice.status'],
    ['another number', { invoice: { invoiceNumber: '1' } }, 'invoice.invoiceNumber'],
    ['a subscription', { invoice: { subscriptionId: 'sub_x' } }, 'invoice.subscriptionId'],
    ['a period', { invoice: { billingPeriodId: 'x' } }, 'invoice.billingPeriodId'],
    ['a link to a PDF', { invoice: { pdfURL: 'https://example.com/x' } }, 'invoice.pdfURL'],
    ['a link to a receipt', { invoice: { receiptPdfURL: 'x' } }, 'invoice.receiptPdfURL'],
    ['a text null for a number', { invoice: { invoiceNumber: 'null' } }, 'invoice.invoiceNumber'],
    ['a purchase', { invoice: { purchaseId: 'x' } }, 'invoice.purchaseId'],
    ['a subtotal that is not the lines’', { invoice: { subtotal: 999 } }, 'invoice.subtotal'],
    ['a subtotal below the documented minimum', { invoice: { subtotal: -2 } }, 'invoice.subtotal'],
    ['an unknown tax', { invoice: { taxType: 'window_tax' } }, 'invoice.taxType'],
    ['a country that is none', { invoice: { taxCountry: 'Germany' } }, 'invoice.taxCountry'],
    ['a date that is none', { invoice: { dueDate: 'soon' } }, 'invoice.dueDate'],
    ['no lines', { invoiceLineItems: [] }, 'invoiceLineItems'],
    [
      'a line of another invoice',
      { invoiceLineItems: [line, { ...line, invoiceId: 'inv_other' }] },
      'invoiceLineItems.1.invoiceId',
    ],
    [
      'lines that are below 0 together',
      { invoiceLineItems: [line, { ...line, price: -2 }] },
      'invoiceLineItems',
    ],
    [
      'part of a minor unit',
      { invoiceLineItems: [{ ...line, price: 0.5 }] },
      'invoiceLineItems.0.price',
    ],
    [
      'a quantity of ten places',
      { invoiceLineItems: [{ ...line, quantity: 0.0000000001 }] },
      'invoiceLineItems.0.quantity',
    ],
    [
      'a quantity that is no number',
      { invoiceLineItems: [{ ...line, quantity: 'many' }] },
      'invoiceLineItems.0.quantity',
    ],
    [
      'credits that no sum can hold',
      {
        invoiceLineItems: [
          line,
          { quantity: 4, price: -(2 ** 52) },
          { quantity: 4, price: 2 ** 52 },
        ],
      },
      'invoiceLineItems',
    ],
    [
      'an unknown price',
      { invoiceLineItems: [{ ...line, priceId: 'price_none' }] },
      'invoiceLineItems.0.priceId',
    ],
  ] as const)('400 for %s, and nothing is written', async ([_, wrong, field], { api, session }) => {
    const { id } = await aDraft(session);
    const before = await api('GET', `/invoices/${id}`);
    const { status, body } = await api('PUT', `/invoices/${id}`, {
      invoiceLineItems: [{ quantity: 9, price: 9 }],
      ...wrong,
      invoice: { memo: 'Changed', ...('invoice' in wrong && wrong.invoice) },
    });
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ message: expect.stringContaining(`${field}: `) }],
    });
    expect((await api('GET', `/invoices/${id}`)).body).toEqual(before.body);
  });

  test('200 with fractional quantities and lines below 0, each rounded half up once', async ({
    api,
    session,
  }) => {
    const { id } = await aDraft(session);
    const invoiceLineItems = [
      { quantity: 1.5, price: 333, description: 'Hours' },
      { quantity: 0.1, price: 5, description: 'Half a cent, up' },
      { quantity: 1, price: -100, description: 'Discount' },
      { quantity: 0.1, price: -5, description: 'Half a cent, away from 0' },
      { quantity: -2, price: 50, description: 'Returned' },
      { quantity: 0.000000001, price: 1_000_000_000 },
    ];
    const { status, body } = await api('PUT', `/invoices/${id}`, { invoiceLineItems });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { invoice: { subtotal: 500 + 1 - 100 - 1 - 100 + 1 }, invoiceLineItems },
    });
    const { body: explained } = await api('GET', `/invoices/${id}/explain`);
    expect(explained).toMatchObject({ verified: true, differences: [] });
    expect(explained.lines.map(({ amount }: { amount: number }) => amount)).toEqual([
      500, 1, -100, -1, -100, 1,
    ]);
    expect((await api('POST', `/invoices/${id}/finalize`, {})).body.invoice.status).toBe('open');
  });

  test('the amounts of any lines are those of exact arithmetic', async ({ api, session }) => {
    const { id } = await aDraft(session);
    const places = fc.tuple(
      fc.integer({ min: -99_999, max: 99_999 }),
      fc.integer({ min: 0, max: 9 }),
    );
    const anyLine = fc.record({ of: places, price: fc.integer({ min: -9_999, max: 9_999 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { minLength: 1, maxLength: 8 }), async (lines) => {
        const invoiceLineItems = lines.map(({ of: [digits, shift], price }) => ({
          quantity: Number(`${digits}e-${shift}`),
          price,
        }));
        const exact = lines.map(({ of: [digits, shift], price }) => {
          const [over, scale] = [BigInt(digits) * BigInt(price), 10n ** BigInt(shift)];
          const size = (2n * (over < 0n ? -over : over) + scale) / (2n * scale);
          return Number(over < 0n ? -size : size);
        });
        const sum = exact.reduce((one, other) => one + other, 0);
        const { status, body } = await api('PUT', `/invoices/${id}`, { invoiceLineItems });
        expect(status, JSON.stringify(body)).toBe(sum < 0 ? 400 : 200);
        if (status === 200) expect(body.invoice.subtotal).toBe(sum);
      }),
      { numRuns: 30 },
    );
  });

  test('a credit note of the whole invoice has its lines below 0 too', async ({ api, session }) => {
    const { id } = await aDraft(session);
    await api('PUT', `/invoices/${id}`, {
      invoiceLineItems: [
        { quantity: 2.5, price: 400 },
        { quantity: 1, price: -300, description: 'Discount' },
      ],
    });
    await api('POST', `/invoices/${id}/finalize`, {});
    const { body: invoice } = await api('GET', `/invoices/${id}`);
    const [charged] = invoice.invoiceLineItems;
    const note = { invoiceId: id, reason: 'product_unsatisfactory', settle: 'write_off' };
    const tooMuch = await api('POST', '/credit-notes', {
      creditNote: { ...note, lines: [{ invoiceLineItemId: charged.id, amount: 1_000 }] },
    });
    expect(tooMuch.status, JSON.stringify(tooMuch.body)).toBe(400);
    const whole = await api('POST', '/credit-notes', { creditNote: { ...note, whole: true } });
    expect(whole.status, JSON.stringify(whole.body)).toBe(200);
    expect(whole.body.creditNote.total).toBe(700);
  });

  test('null empties what may be empty, and -1 stands for a subtotal that is to be computed', async ({
    api,
    session,
  }) => {
    const { id } = await aDraft(session, { memo: 'Note' });
    const full = { ownerMembershipId: 'm', taxCountry: 'DE', taxState: 'BE' };
    const dates = { billingPeriodStartDate: 1, billingPeriodEndDate: 2 };
    await api('PUT', `/invoices/${id}`, { invoice: { ...full, ...dates, subtotal: -1 } });
    const none = {
      memo: null,
      dueDate: null,
      ownerMembershipId: null,
      taxCountry: null,
      taxState: null,
      billingPeriodStartDate: null,
      billingPeriodEndDate: null,
    };
    const { body } = await api('PUT', `/invoices/${id}`, { invoice: none }, current);
    expect(body.invoice).toMatchObject({ ...none, subtotal: 1_000 });
  });

  test('each refused field says why it cannot change', async ({ api, session }) => {
    const { id } = await aDraft(session);
    const invoice = { status: 'open', currency: 'EUR', invoiceNumber: 'A-1', customerId: 'cust_x' };
    const { body } = await api('PUT', `/invoices/${id}`, { invoice });
    expect(body.issues.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^invoice\.customerId: cannot change: .*draft another invoice$/),
      expect.stringMatching(
        /^invoice\.currency: cannot change: it is USD; .*draft another invoice$/,
      ),
      expect.stringMatching(/^invoice\.status: cannot change: it is draft; finalize, /),
      expect.stringMatching(/^invoice\.invoiceNumber: cannot change: .* have no gaps/),
    ]);
  });

  test('400 for lines of another tenant’s invoice and its prices', async ({
    api,
    session,
    database,
  }) => {
    const { session: other } = await aTenant(database.orm.em);
    const foreign = await aDraft(other);
    const product = await aProduct(other);
    const priceId = (await product.prices.loadItems())[0]?.id;
    const { id } = await aDraft(session);
    for (const [reference, field] of [
      [{ invoiceId: foreign.id }, 'invoiceId'],
      [{ priceId }, 'priceId'],
    ] as const) {
      const answer = await api('PUT', `/invoices/${id}`, {
        invoiceLineItems: [{ ...line, ...reference }],
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { issues: [{ message: expect.stringContaining(`invoiceLineItems.0.${field}: `) }] },
      });
    }
  });

  test.for([
    ['open', anOpenInvoice],
    ['paid', aPaidInvoice],
  ] as const)('400 for one that is %s', async ([status, make], { api, session }) => {
    const { id } = await make(session);
    const before = await api('GET', `/invoices/${id}`);
    for (const change of [{ invoice: { memo: 'New' } }, { invoiceLineItems: [line] }]) {
      expect(await api('PUT', `/invoices/${id}`, change)).toMatchObject({
        status: 400,
        body: { issues: [{ message: `id: ${id} is ${status}: only drafts can be changed` }] },
      });
    }
    expect((await api('GET', `/invoices/${id}`)).body).toEqual(before.body);
  });

  test('two at once leave the lines of one of them', async ({ api, session }) => {
    const { id } = await aDraft(session);
    const sets = [1, 2, 3, 4].map((price) => [
      { quantity: 1, price },
      { quantity: 10, price },
    ]);
    await Promise.all(
      sets.map((invoiceLineItems) => api('PUT', `/invoices/${id}`, { invoiceLineItems })),
    );
    const { body } = await api('GET', `/invoices/${id}`);
    expect(body.invoiceLineItems).toHaveLength(2);
    expect(body.invoice.subtotal).toBe(11 * body.invoiceLineItems[0].price);
  });
});
