import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { aCustomer } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

const settings = 'taxType taxRatePercentage taxInclusive taxCountry taxState';
const updateOrganization = `mutation($organization: UpdateOrganizationInput!) {
  updateOrganization(organization: $organization) { organization { ${settings} dunningRetryDays dunningFinalAction } }
}`;
const updateCustomer = `mutation($externalId: String!, $customer: UpdateCustomerInput!) {
  updateCustomer(externalId: $externalId, customer: $customer) { customer { ${settings} } }
}`;
const createInvoice = `mutation($customerId: ID!, $lines: [InvoiceLineItemInput!]!) {
  createInvoice(invoice: { customerId: $customerId }, invoiceLineItems: $lines) {
    invoice {
      id subtotal taxAmount total taxType taxRatePercentage taxInclusive taxCountry taxState
    }
  }
}`;

const vat = {
  taxType: 'vat',
  taxRatePercentage: '19',
  taxInclusive: true,
  taxCountry: 'DE',
  taxState: 'BE',
};

const nothing = {
  taxType: null,
  taxRatePercentage: null,
  taxInclusive: false,
  taxCountry: null,
  taxState: null,
};

describe('the rule of a customer', () => {
  test('is removed by a taxType of null, so that the organization’s applies; also over REST', async ({
    api,
    graphql,
    session,
  }) => {
    const organization = { taxType: 'vat', taxRatePercentage: '10' };
    await graphql(updateOrganization, { organization });
    const { id: customerId, externalId } = await aCustomer(session);
    const total = async () => {
      const lines = [{ quantity: 1, price: 1_000 }];
      return (await graphql(createInvoice, { customerId, lines })).data.createInvoice.invoice.total;
    };
    const remove = [
      () => graphql(updateCustomer, { externalId, customer: { taxType: null } }),
      () => api('PUT', `/customers/${externalId}`, { customer: { taxType: null } }),
    ];
    for (const removed of remove) {
      for (const rule of [{ ...vat, taxInclusive: false }, { taxType: 'none' }]) {
        await graphql(updateCustomer, { externalId, customer: rule });
        expect(await total()).toBe(rule.taxType === 'none' ? 1_000 : 1_190);
        await removed();
        expect(await total()).toBe(1_100);
        const found = await session.em.fork().findOneOrFail(Customer, customerId);
        expect(found).toMatchObject(nothing);
      }
    }
    await graphql(updateCustomer, { externalId, customer: vat });
    const answer = await graphql(updateCustomer, {
      externalId,
      customer: { taxType: null, taxRatePercentage: '7' },
    });
    expect(answer.errors[0].extensions.issues).toMatchObject([
      { path: ['customer', 'taxRatePercentage'] },
    ]);
    // Without a word of the type the rule stays.
    await api('PUT', `/customers/${externalId}`, { customer: { name: 'Ada' } });
    expect(await total()).toBe(1_000);
  });
});

describe('updateOrganization', () => {
  test('sets tax and dunning; what is absent stays', async ({ graphql }) => {
    const dunning = { dunningRetryDays: [1, 60], dunningFinalAction: 'cancel' };
    const all = await graphql(updateOrganization, { organization: { ...vat, ...dunning } });
    expect(all).toEqual({ data: { updateOrganization: { organization: { ...vat, ...dunning } } } });
    const some = await graphql(updateOrganization, {
      organization: { taxRatePercentage: '7.5', dunningRetryDays: [] },
    });
    expect(some.data.updateOrganization.organization).toEqual({
      ...vat,
      taxRatePercentage: '7.5',
      dunningRetryDays: [],
      dunningFinalAction: 'cancel',
    });
    const { data } = await graphql(`{ organization { ${settings} dunningRetryDays } }`);
    expect(data.organization).toEqual({ ...vat, taxRatePercentage: '7.5', dunningRetryDays: [] });
  });

  test.for([
    [{ taxType: 'vat' }, 'taxRatePercentage'],
    [{ taxRatePercentage: '19' }, 'taxType'],
    [{ ...vat, taxRatePercentage: '19.12345' }, 'taxRatePercentage'],
    [{ ...vat, taxRatePercentage: '100.1' }, 'taxRatePercentage'],
    [{ ...vat, taxRatePercentage: '-1' }, 'taxRatePercentage'],
    [{ ...vat, taxRatePercentage: '1e1' }, 'taxRatePercentage'],
    [{ ...vat, taxRatePercentage: '' }, 'taxRatePercentage'],
    [{ taxCountry: 'de' }, 'taxCountry'],
    [{ taxCountry: 'DEU' }, 'taxCountry'],
    [{ dunningRetryDays: [0] }, 'dunningRetryDays,0'],
    [{ dunningRetryDays: [3, 61] }, 'dunningRetryDays,1'],
    [{ dunningRetryDays: Array(11).fill(1) }, 'dunningRetryDays'],
  ] as const)('400 for %j, and nothing is written', async ([organization, field], { graphql }) => {
    const { errors } = await graphql(updateOrganization, { organization });
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
    expect(errors[0].extensions.issues.map(({ path }: { path: string[] }) => path.join())).toEqual([
      `organization,${field}`,
    ]);
    const { data } = await graphql(`{ organization { ${settings} dunningRetryDays } }`);
    expect(data.organization).toEqual({ ...nothing, dunningRetryDays: [3, 5, 5] });
  });
});

describe('createCustomer and updateCustomer', () => {
  test('set the customer’s own rule', async ({ graphql }) => {
    const query = `mutation($customer: CreateCustomerInput!) {
      createCustomer(customer: $customer) { customer { ${settings} } }
    }`;
    const customer = { email: 'ada@example.com', name: 'Ada', externalId: 'ada' };
    const created = await graphql(query, { customer: { ...customer, ...vat } });
    expect(created.data.createCustomer.customer).toEqual(vat);
    const changed = await graphql(updateCustomer, {
      externalId: 'ada',
      customer: { taxType: 'gst', taxInclusive: false },
    });
    expect(changed.data.updateCustomer.customer).toEqual({
      ...vat,
      taxType: 'gst',
      taxInclusive: false,
    });
  });

  test('400 for half of a rule, and nothing is written', async ({ graphql, session }) => {
    const query = `mutation($customer: CreateCustomerInput!) {
      createCustomer(customer: $customer) { customer { id } }
    }`;
    const customer = { email: 'ada@example.com', name: 'Ada', externalId: 'ada', taxType: 'vat' };
    const refused = await graphql(query, { customer });
    expect(refused.errors[0].extensions.issues[0].path).toEqual(['customer', 'taxRatePercentage']);
    expect(await session.em.fork().count(Customer)).toBe(0);
    const { externalId } = await aCustomer(session);
    for (const [half, field] of [
      [{ taxType: 'vat' }, 'taxRatePercentage'],
      [{ taxRatePercentage: '5' }, 'taxType'],
      [{ taxCountry: 'x' }, 'taxCountry'],
    ] as const) {
      const { errors } = await graphql(updateCustomer, { externalId, customer: half });
      expect(errors[0].extensions.issues[0].path).toEqual(['customer', field]);
    }
  });

  test('the documented REST record does not show the rule', async ({ api, session, graphql }) => {
    const { externalId } = await aCustomer(session);
    await graphql(updateCustomer, { externalId, customer: vat });
    const { body } = await api('GET', `/customers/${externalId}`);
    expect(
      Object.keys(body.customer).filter((name) => name.startsWith('tax') && name !== 'taxIds'),
    ).toEqual([]);
  });
});

describe('An invoice', () => {
  test.for([
    ['on top, rounded half up', '5', false, [[1, 50]], [50, 3, 53]],
    [
      'once for all lines',
      '5',
      false,
      [
        [1, 10],
        [1, 10],
      ],
      [20, 1, 21],
    ],
    ['of three places', '8.875', false, [[3, 333]], [999, 89, 1_088]],
    ['contained in the lines', '19', true, [[2, 5_950]], [11_900, 1_900, 11_900]],
    ['contained, rounded half up', '100', true, [[1, 5]], [5, 3, 5]],
    ['of nothing', '19', false, [[1, 0]], [0, 0, 0]],
  ] as const)(
    'with tax %s (%s %%)',
    async ([_, rate, taxInclusive, lines, amounts], { graphql, session, api }) => {
      const organization = { ...vat, taxRatePercentage: rate, taxInclusive };
      await graphql(updateOrganization, { organization });
      const { id: customerId } = await aCustomer(session);
      const { data } = await graphql(createInvoice, {
        customerId,
        lines: lines.map(([quantity, price]) => ({ quantity, price })),
      });
      const { id, subtotal, taxAmount, total, ...rule } = data.createInvoice.invoice;
      expect([subtotal, taxAmount, total]).toEqual(amounts);
      expect(rule).toEqual(organization);
      const { body } = await api('GET', `/invoices/${id}/explain`);
      expect(body).toMatchObject({ verified: true, differences: [] });
    },
  );

  test('follows the customer’s rule as a whole, or none', async ({ graphql, session }) => {
    await graphql(updateOrganization, { organization: vat });
    const { id: customerId, externalId } = await aCustomer(session);
    const taxed = async () => {
      const lines = [{ quantity: 1, price: 1_000 }];
      const { id: _, ...rest } = (await graphql(createInvoice, { customerId, lines })).data
        .createInvoice.invoice;
      return rest;
    };
    expect(await taxed()).toEqual({ ...vat, subtotal: 1_000, taxAmount: 160, total: 1_000 });
    await graphql(updateCustomer, {
      externalId,
      customer: { taxType: 'gst', taxRatePercentage: '10' },
    });
    const own = { ...nothing, taxType: 'gst', taxRatePercentage: '10' };
    expect(await taxed()).toEqual({ ...own, subtotal: 1_000, taxAmount: 100, total: 1_100 });
    await graphql(updateCustomer, { externalId, customer: { taxType: 'none' } });
    expect(await taxed()).toEqual({ ...nothing, subtotal: 1_000, taxAmount: 0, total: 1_000 });
  });

  test('a draft keeps its rule when its lines change, unless it is switched off', async ({
    graphql,
    session,
    api,
  }) => {
    await graphql(updateOrganization, { organization: vat });
    const { id: customerId } = await aCustomer(session);
    const lines = [{ quantity: 1, price: 1_000 }];
    const { id } = (await graphql(createInvoice, { customerId, lines })).data.createInvoice.invoice;
    const invoiceLineItems = [{ quantity: 1, price: 119 }];
    const changed = await api('PUT', `/invoices/${id}`, { invoiceLineItems });
    expect(changed.body.invoice).toMatchObject({ subtotal: 119, taxAmount: 19 });
    const none = await api('PUT', `/invoices/${id}`, { invoice: { taxType: 'none' } });
    expect(none.body.invoice).toMatchObject({ subtotal: 119, taxAmount: 0, taxType: 'none' });
    const { body } = await api('GET', `/invoices/${id}/explain`);
    expect(body).toMatchObject({
      verified: true,
      steps: ['lines: USD 1.19 = USD 1.19', 'total: USD 1.19', 'still to be paid: USD 1.19'],
    });
  });
});

test('tax is exact up to one rounding, for any sum and rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 52 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.boolean(),
      (lines, rate, inclusive) => {
        const ratePercentage = (rate / 10_000).toFixed(4);
        const rule = {
          taxType: 'vat',
          ratePercentage,
          inclusive,
          country: null,
          state: null,
        } as const;
        const { subtotal, taxAmount, total } = amountsOf(lines, rule);
        const denominator = inclusive ? 1_000_000n + BigInt(rate) : 1_000_000n;
        const error = 2n * (BigInt(taxAmount) * denominator - BigInt(lines) * BigInt(rate));
        expect(subtotal).toBe(lines);
        expect(total).toBe(inclusive ? lines : lines + taxAmount);
        // Never off by more than a half, and up where it is exactly that.
        expect(error > -denominator && error <= denominator).toBe(true);
      },
    ),
  );
});
