import { describe, expect } from 'vitest';
import { test as base } from '../../../support/test.ts';

const taxes = 'taxes { name ratePercentage jurisdiction category reason base amount }';
const createInvoice = `mutation($customerId: ID!, $lines: [InvoiceLineItemInput!]!) {
  createInvoice(invoice: { customerId: $customerId }, invoiceLineItems: $lines) { invoice {
    id subtotal taxAmount total taxType taxRatePercentage ${taxes} lineItems { id amount } } } }`;

interface Line {
  readonly price: number;
  readonly priceId?: string;
  readonly quantity?: number;
}

const address = (country: string, more: object = {}) => ({
  billingAddress: { address: { line1: '1 Road', city: 'Town', country, ...more } },
});

let count = 0;

const test = base
  .extend('rates', async ({ api, graphql }) => async (...rates: object[]) => {
    await graphql(
      `mutation { updateOrganization(organization: { taxEngine: rates }) { organization { taxEngine } } }`,
    );
    const ids: string[] = [];
    for (const rate of rates) {
      const taxRate = { name: 'VAT', taxType: 'vat', ...rate };
      const { status, body } = await api('POST', '/tax-rates', { taxRate });
      expect(body).toMatchObject({ taxRate });
      expect(status).toBe(200);
      ids.push(body.taxRate.id);
    }
    return ids;
  })
  .extend('customer', async ({ api }) => async (fields: object) => {
    const externalId = `tax-${++count}`;
    const customer = { name: 'Ada', email: 'ada@example.com', externalId, ...fields };
    const { body, status } = await api('POST', '/customers', { customer });
    expect([status, body]).toMatchObject([200, {}]);
    return body.data.customer.id as string;
  })
  .extend('invoice', async ({ graphql }) => async (customerId: string, lines: Line[]) => {
    const all = lines.map((line) => ({ quantity: 1, ...line }));
    const answer = await graphql(createInvoice, { customerId, lines: all });
    expect(answer.errors).toBeUndefined();
    return answer.data.createInvoice.invoice;
  });

const quebec = [
  { name: 'GST', taxType: 'gst', ratePercentage: '5', country: 'CA' },
  { name: 'QST', taxType: 'qst', ratePercentage: '9.975', country: 'CA', state: 'QC' },
];

describe('several rates of a place', () => {
  test('are a tax each on invoice and PDF, are explained, and are reverted exactly by credit notes', async ({
    api,
    graphql,
    rates,
    customer,
    invoice,
  }) => {
    await rates(...quebec);
    const draft = await invoice(await customer(address('CA', { state: 'qc' })), [
      { price: 10_001 },
    ]);
    expect(draft).toMatchObject({
      subtotal: 10_001,
      taxAmount: 1_498,
      total: 11_499,
      taxType: 'gst',
      taxRatePercentage: null,
      taxes: [
        { name: 'GST', ratePercentage: '5', jurisdiction: 'CA', base: 10_001, amount: 500 },
        { name: 'QST', ratePercentage: '9.975', jurisdiction: 'CA-QC', base: 10_001, amount: 998 },
      ],
    });
    await api('POST', `/invoices/${draft.id}/finalize`);
    const explained = (await api('GET', `/invoices/${draft.id}/explain`)).body;
    expect(explained).toMatchObject({ verified: true, differences: [] });
    expect(explained.steps.join('\n')).toContain(
      'QST 9.975 %: USD 100.01 × 9.975 ÷ 100, rounded half up = USD 9.98',
    );
    const credit = (creditNote: object) =>
      api('POST', '/credit-notes', {
        creditNote: { invoiceId: draft.id, settle: 'write_off', reason: 'other', ...creditNote },
      });
    const notes = [
      await credit({ amount: 3_333 }),
      await credit({ lines: [{ invoiceLineItemId: draft.lineItems[0].id, amount: 5_000 }] }),
    ];
    expect(notes.map(({ status }) => status)).toEqual([200, 200]);
    expect(notes[1]?.body.creditNote.taxes).toMatchObject([
      { name: 'GST', jurisdiction: 'CA', base: 5_000, amount: 250 },
      { name: 'QST', jurisdiction: 'CA-QC', base: 5_000, amount: 499 },
    ]);
    await credit({
      amount: 11_499 - notes.reduce((sum, { body }) => sum + body.creditNote.total, 0),
    });
    const query = `{ invoice(id: "${draft.id}") { amountDue creditNotes(first: 5) { nodes { total taxAmount ${taxes} } } } }`;
    const { nodes } = (await graphql(query)).data.invoice.creditNotes;
    const sumOf = (at: number) =>
      nodes.reduce(
        (sum: number, note: { taxes: { amount: number }[] }) => sum + (note.taxes[at]?.amount ?? 0),
        0,
      );
    expect([nodes.length, sumOf(0), sumOf(1)]).toEqual([3, 500, 998]);
  });

  test('compound: the base of the later tax contains the earlier one; prices may include both', async ({
    graphql,
    rates,
    customer,
    invoice,
  }) => {
    const [gst, qst] = quebec;
    await rates({ ...qst, ratePercentage: '7.5', compound: true }, gst as object);
    const customerId = await customer(address('CA', { state: 'QC' }));
    const added = await invoice(customerId, [{ price: 10_000 }]);
    expect(added.taxes).toMatchObject([
      { name: 'GST', base: 10_000, amount: 500 },
      { name: 'QST', base: 10_500, amount: 788 },
    ]);
    await graphql(
      `mutation { updateOrganization(organization: { taxInclusive: true }) { organization { id } } }`,
    );
    const included = await invoice(customerId, [{ price: 11_288 }]);
    expect(included).toMatchObject({ total: 11_288, taxAmount: 1_288 });
    expect(included.taxes).toMatchObject([
      { name: 'GST', base: 10_000, amount: 500 },
      { name: 'QST', base: 10_500, amount: 788 },
    ]);
  });
});

describe('tax codes of products', () => {
  test('choose the rate of each line; credits by hand reduce all lines in proportion', async ({
    api,
    graphql,
    rates,
    customer,
    invoice,
  }) => {
    await rates(
      { ratePercentage: '19', country: 'DE' },
      { name: 'Reduced VAT', ratePercentage: '7', country: 'DE', taxCode: 'book' },
    );
    const priceOf = async (slug: string, taxCode: string | null) => {
      const product = { name: slug, slug, taxCode };
      const price = { type: 'single_payment', unitPrice: 1_000, slug };
      const { body } = await api('POST', '/products', { product, price });
      const query = `{ product(id: "${body.product.id}") { taxCode prices { id } } }`;
      const found = (await graphql(query)).data.product;
      expect(found).toMatchObject({ taxCode });
      return found.prices[0].id;
    };
    const [book, pen] = [await priceOf('book', 'book'), await priceOf('pen', null)];
    const customerId = await customer(address('DE'));
    const draft = await invoice(customerId, [
      { price: 1_000, priceId: book },
      { price: 1_000, quantity: 3, priceId: pen },
      { price: -400 },
    ]);
    expect(draft).toMatchObject({ subtotal: 3_600, taxAmount: 63 + 513, taxRatePercentage: null });
    expect(draft.taxes).toMatchObject([
      { name: 'Reduced VAT', base: 900, amount: 63 },
      { name: 'VAT', base: 2_700, amount: 513 },
    ]);
    // A credit that exceeds the lines of its rate reduces the others.
    const mixed = await invoice(customerId, [
      { price: 1_000, priceId: book },
      { price: -600, priceId: pen },
    ]);
    expect(mixed).toMatchObject({ subtotal: 400, taxAmount: 28 });
    const changed = await api('PUT', `/invoices/${draft.id}`, {
      invoiceLineItems: [{ price: 500, quantity: 1, priceId: book }],
    });
    expect(changed.body.invoice).toMatchObject({ taxAmount: 35, taxRatePercentage: '7' });
    const fixed = await api('PUT', `/invoices/${draft.id}`, { invoice: { taxType: 'gst' } });
    expect(fixed).toMatchObject({ status: 400 });
    await api('POST', `/invoices/${mixed.id}/finalize`);
    const note = await api('POST', '/credit-notes', {
      creditNote: { invoiceId: mixed.id, whole: true, settle: 'write_off', reason: 'other' },
    });
    expect(note.body.creditNote).toMatchObject({ total: 428, taxAmount: 28 });
  });
});

describe('a customer of another member state', () => {
  const german = { line1: '7 Straße', city: 'Berlin', postal_code: '10557', country: 'DE' };
  const seller = { address: german, taxIds: [{ type: 'eu_vat', value: 'DE136695976' }] };
  const french = { taxIds: [{ type: 'eu_vat', value: 'FR40303265045' }], ...address('FR') };

  test('with a VAT number accounts for the tax itself, and a consumer pays the tax of its state', async ({
    graphql,
    rates,
    customer,
    invoice,
  }) => {
    await rates({ ratePercentage: '19', country: 'DE' }, { ratePercentage: '20', country: 'FR' });
    await graphql(
      `mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { organization { id } } }`,
      { organization: seller },
    );
    const line = [{ price: 1_000 }];
    expect(await invoice(await customer(french), line)).toMatchObject({
      total: 1_000,
      taxes: [
        { category: 'AE', base: 1_000, amount: 0, reason: expect.stringContaining('Reverse') },
      ],
    });
    expect(await invoice(await customer(address('FR')), line)).toMatchObject({ taxAmount: 200 });
    // A number of the seller's own state, and a customer who lives there, are taxed.
    const home = { ...address('DE'), taxIds: [{ type: 'eu_vat', value: 'DE136695976' }] };
    expect(await invoice(await customer(home), line)).toMatchObject({ taxAmount: 190 });
    expect(await invoice(await customer(address('US')), line)).toMatchObject({ taxes: [] });
    const exempt = await customer({ ...address('DE'), taxExempt: 'exempt' });
    expect(await invoice(exempt, line)).toMatchObject({
      total: 1_000,
      taxes: [{ category: 'E', amount: 0 }],
    });
    const reverse = await customer({ ...french, taxExempt: 'reverse' });
    expect(await invoice(reverse, line)).toMatchObject({ taxes: [{ category: 'AE' }] });
  });
});

test('a rate applies to its kind of customer, postal codes and dates; the organization’s rule elsewhere', async ({
  graphql,
  rates,
  customer,
  invoice,
}) => {
  const rule = 'taxType: sales_tax, taxRatePercentage: "1"';
  await graphql(
    `mutation { updateOrganization(organization: { ${rule} }) { organization { id } } }`,
  );
  const us = { name: 'Sales tax', taxType: 'sales_tax', country: 'US', state: 'NY' };
  await rates(
    { ...us, ratePercentage: '4' },
    { ...us, ratePercentage: '2', customerKind: 'business' },
    { ...us, name: 'City tax', ratePercentage: '4.5', postalPrefix: '100' },
    { ...us, taxType: 'amusement_tax', ratePercentage: '9', validUntil: 946_684_800_000 },
    { ...us, taxType: 'amusement_tax', ratePercentage: '9', validFrom: 32_503_680_000_000 },
  );
  const amounts = async (more: object, fields: object = {}) => {
    const { taxes } = await invoice(await customer({ ...address('US', more), ...fields }), [
      { price: 1_000 },
    ]);
    return taxes.map(({ amount }: { amount: number }) => amount);
  };
  const taxIds = [{ type: 'us_ein', value: '12-3456789' }];
  expect(await amounts({ state: 'NY', postal_code: '14201' })).toEqual([40]);
  expect(await amounts({ state: 'NY', postal_code: '10001' })).toEqual([40, 45]);
  expect(await amounts({ state: 'NY', postal_code: '14201' }, { taxIds })).toEqual([20]);
  expect(await amounts({ state: 'TX', postal_code: '10001' })).toEqual([10]);
});

describe('refusals', () => {
  const rate = { name: 'VAT', taxType: 'vat', ratePercentage: '19', country: 'DE' };

  test.for([
    [{ ratePercentage: '101' }, 'taxRate.ratePercentage'],
    [{ country: 'Germany' }, 'taxRate.country'],
    [{ taxType: 'none' }, 'taxRate.taxType'],
    [{ category: 'Z' }, 'taxRate.category'],
    [{ ratePercentage: '0', category: 'E' }, 'taxRate.reason'],
    [{ taxCode: 'no code' }, 'taxRate.taxCode'],
    [{ validFrom: 2_000, validUntil: 1_000 }, 'taxRate.validUntil'],
  ] as const)('a rate with %j', async ([wrong, path], { api }) => {
    const { status, body } = await api('POST', '/tax-rates', { taxRate: { ...rate, ...wrong } });
    expect(status).toBe(400);
    expect(body.issues[0].message).toContain(path);
  });

  test('a second rate at the same time; one after the other is fine', async ({ api, rates }) => {
    const [id] = await rates({ ...rate, validFrom: 1_000 });
    const again = await api('POST', '/tax-rates', { taxRate: rate });
    expect(again.status).toBe(400);
    expect(again.body.issues[0].message).toContain('taxRate.validFrom: overlaps');
    await api('PUT', `/tax-rates/${id}`, { taxRate: { validUntil: 2_000 } });
    await rates({ ...rate, ratePercentage: '16', validFrom: 2_000 });
    const back = await api('PUT', `/tax-rates/${id}`, { taxRate: { validUntil: null } });
    expect(back.body.issues[0].message).toContain('taxRate.validFrom: overlaps');
  });

  test.for([
    ['DE123456789', 'check digits'],
    ['FR41303265045', 'check digits'],
    ['DE12345678', 'not a number of the type'],
  ] as const)('the VAT number %s', async ([value, reason], { api }) => {
    const customer = { name: 'A', email: 'a@example.com', externalId: 'a' };
    const taxIds = [{ type: 'eu_vat', value }];
    const { status, body } = await api('POST', '/customers', { customer: { ...customer, taxIds } });
    expect([status, body.issues[0].message]).toEqual([400, expect.stringContaining(reason)]);
    const reverse = { ...customer, taxExempt: 'reverse' };
    const refused = await api('POST', '/customers', { customer: reverse });
    expect(refused.body.issues[0].message).toContain('customer.taxIds');
  });
});

test('upcoming invoice, checkout and billing run state the same taxes', async ({
  api,
  graphql,
  rates,
  customer,
}) => {
  await rates(...quebec);
  const id = await customer({ ...address('CA', { state: 'QC' }) });
  const product = { name: 'Plan', slug: 'plan' };
  const price = { type: 'subscription', slug: 'plan', unitPrice: 10_001, intervalUnit: 'month' };
  await api('POST', '/products', { product, price });
  const token = { customerId: id, type: 'card', token: 'sandbox_success' };
  await api('POST', '/payment-methods', { paymentMethod: token });
  const { externalId } = (await graphql(`{ customer(id: "${id}") { externalId } }`)).data.customer;
  const created = await api('POST', '/subscriptions', {
    customerExternalId: externalId,
    priceSlug: 'plan',
  });
  expect(created.status).toBe(200);
  const found = await graphql(
    `{ invoices(first: 1, where: { customer: { is: "${id}" } }) { nodes { total ${taxes} } } }`,
  );
  const upcoming = await graphql(
    `{ upcomingInvoice(subscription: "${created.body.subscription.id}") { total ${taxes} } }`,
  );
  expect(found.data.invoices.nodes[0]).toMatchObject({
    total: 11_499,
    taxes: [{ amount: 500 }, { amount: 998 }],
  });
  expect(upcoming.data.upcomingInvoice).toEqual(found.data.invoices.nodes[0]);
});
