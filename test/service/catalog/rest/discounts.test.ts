import { describe, expect } from 'vitest';
import { aDiscount, aRedemption } from '../../../support/discounts.ts';
import { aCustomer } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const input = { name: 'Welcome', code: 'WELCOME20', amountType: 'percent', amount: 20 };
const once = { ...input, duration: 'once' };
const record = {
  id: expect.stringMatching(/^discount_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  ...once,
  numberOfPayments: null,
  active: true,
};

describe('POST /discounts', () => {
  test('200 with the documented record, the code in upper case', async ({ api }) => {
    const body = { discount: { ...once, code: ' welcome20 ' } };
    expect(await api('POST', '/discounts', body)).toMatchObject({
      status: 200,
      body: { discount: record },
    });
  });

  test('200 for an amount in the default currency, with limit, payments and expiry', async ({
    api,
  }) => {
    const discount = { ...input, amountType: 'fixed', amount: 500, active: false };
    const counted = { duration: 'number_of_payments', numberOfPayments: 3 };
    const bounds = { redemptionLimit: 9, expiresAt: 4_000_000_000_000 };
    const body = { discount: { ...discount, ...counted, ...bounds } };
    const options = { headers: { prefer: 'include=all' } };
    expect(await api('POST', '/discounts', body, options)).toMatchObject({
      status: 200,
      body: { discount: { ...discount, ...counted, ...bounds, currency: 'USD' } },
    });
  });

  test.for([
    { code: 'B2' },
    { code: 'SPRING-2026_EU' },
    { code: `_${'X'.repeat(63)}` },
    { amount: 12.5 },
    { amount: 33.3333 },
    { amount: 0.0001 },
    { duration: 'number_of_months', numberOfMonths: 3 },
    { redemptionLimitPerCustomer: 1 },
  ])('200 for %j, which is stored and read as it is', async (terms, { api }) => {
    const all = { headers: { prefer: 'include=all' } };
    const created = await api('POST', '/discounts', { discount: { ...once, ...terms } }, all);
    expect(created).toMatchObject({ status: 200, body: { discount: terms } });
    const { id } = created.body.discount;
    expect(await api('GET', `/discounts/${id}`, undefined, all)).toMatchObject({
      body: { discount: terms },
    });
  });

  test.for([
    [{ code: 'A' }, 'discount.code: must be 2 to 64 letters, digits, hyphens and underscores'],
    [{ code: 'A'.repeat(65) }, 'discount.code: must be 2 to 64 letters, digits, hyphens'],
    [{ code: 'SAVE 20' }, 'discount.code: must be 2 to 64 letters, digits, hyphens'],
    [{ amount: 0 }, 'discount.amount: '],
    [{ amount: 33.33333 }, 'discount.amount: must be above 0: a percentage of at most 4 places'],
    [
      { amountType: 'fixed', amount: 12.5 },
      'discount.amount: must be whole minor units for a fixed amount',
    ],
    [{ numberOfMonths: 2 }, 'discount.numberOfMonths: must be left out where duration is once'],
    [
      { duration: 'number_of_months' },
      'discount.numberOfMonths: must be given where duration is number_of_months',
    ],
    [{ redemptionLimitPerCustomer: 0 }, 'discount.redemptionLimitPerCustomer: '],
    [{ currency: 'USD' }, 'discount.currency: must be left out for a percentage'],
    [{ numberOfPayments: 2 }, 'discount.numberOfPayments: must be left out where duration is once'],
    [
      { duration: 'number_of_payments' },
      'discount.numberOfPayments: must be given where duration is number_of_payments',
    ],
    [{ redemptionLimit: 0 }, 'discount.redemptionLimit: '],
  ] as const)('400 for %j, and nothing is written', async ([wrong, message], { api }) => {
    const { status, body } = await api('POST', '/discounts', { discount: { ...once, ...wrong } });
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ message: expect.stringContaining(message) }]);
    expect((await api('GET', '/discounts')).body.data).toEqual([]);
  });

  test('400 for a taken code, also when several ask at once', async ({ api }) => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api('POST', '/discounts', { discount: once })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.issues).toEqual([
      { message: 'discount.code: is the code of another discount of this pricing model' },
    ]);
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('POST', '/discounts', {}, { key: null })).toMatchObject({ status: 401 });
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const body = { discount: once };
    expect(await api('POST', '/discounts', body, { key })).toMatchObject({ status: 403 });
    expect(await api('GET', '/discounts', undefined, { key })).toMatchObject({ status: 403 });
  });
});

describe('GET /discounts', () => {
  test('200 with the discounts in pages, and one of them', async ({ api, session }) => {
    const [first, second] = [await aDiscount(session), await aDiscount(session)];
    const page = await api('GET', '/discounts?limit=1');
    expect(page).toMatchObject({ status: 200, body: { data: [{ id: first.id }], hasMore: true } });
    const rest = await api('GET', `/discounts?cursor=${page.body.nextCursor}`);
    expect(rest.body.data).toMatchObject([{ id: second.id, redemptionCount: 0 }]);
    expect(await api('GET', `/discounts/${first.id}`)).toMatchObject({
      status: 200,
      body: { discount: { id: first.id, redemptionCount: 0 } },
    });
  });

  test('404 for an unknown one, and for one of another organization', async ({
    api,
    session,
    database,
  }) => {
    const { id } = await aDiscount(session);
    expect(await api('GET', '/discounts/discount_none')).toMatchObject({ status: 404 });
    const { key } = await aTenant(database.orm.em);
    expect(await api('GET', `/discounts/${id}`, undefined, { key })).toMatchObject({ status: 404 });
  });

  test('200 with the redemptions and their terms', async ({ api, session }) => {
    const { id: customerId } = await aCustomer(session);
    const { discount, redemption } = await aRedemption(session, customerId);
    expect((await api('GET', `/discounts/${discount.id}`)).body.discount.redemptionCount).toBe(1);
    const shown = {
      id: redemption.id,
      discountId: discount.id,
      customerId,
      subscriptionId: null,
      purchaseId: null,
      code: discount.code,
      paymentCount: 0,
      remainingPayments: null,
      releasedAt: null,
    };
    const one = await api('GET', `/discount-redemptions/${redemption.id}`);
    expect(one).toMatchObject({ status: 200, body: { discountRedemption: shown } });
    expect((await api('GET', '/discount-redemptions')).body.data).toMatchObject([shown]);
  });
});

describe('PUT /discounts/{id}', () => {
  test('200 with the changes; a percentage loses its currency', async ({ api, session }) => {
    const { id } = await aDiscount(session, { amountType: 'fixed', amount: 500 });
    const counted = { duration: 'number_of_payments', numberOfPayments: 2 };
    const discount = { id, code: 'other1', amount: 30, amountType: 'percent', ...counted };
    const all = { headers: { prefer: 'include=all' } };
    expect(await api('PUT', `/discounts/${id}`, { discount }, all)).toMatchObject({
      status: 200,
      body: { discount: { ...discount, code: 'OTHER1', currency: null } },
    });
    const months = { id, duration: 'number_of_months', numberOfMonths: 6 };
    expect(await api('PUT', `/discounts/${id}`, { discount: months }, all)).toMatchObject({
      status: 200,
      body: { discount: { ...months, numberOfPayments: null, amount: 30 } },
    });
    const back = { id, code: 'OTHER1', amount: 30, amountType: 'percent', duration: 'once' };
    expect(await api('PUT', `/discounts/${id}`, { discount: back }, all)).toMatchObject({
      status: 200,
      body: { discount: { numberOfPayments: null, numberOfMonths: null, active: true } },
    });
  });

  test('400 for a contradiction, a taken code and a limit that is exceeded', async ({
    api,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const { discount } = await aRedemption(session, customerId);
    await aRedemption(session, customerId).catch(() => null);
    const other = await aDiscount(session);
    const issueOf = async (change: object) =>
      (await api('PUT', `/discounts/${discount.id}`, { discount: change })).body.issues;
    expect(await issueOf({ currency: 'EUR' })).toMatchObject([
      { message: expect.stringContaining('discount.currency: must be left out') },
    ]);
    expect(await issueOf({ code: other.code })).toMatchObject([
      { message: expect.stringContaining('discount.code: is the code of another') },
    ]);
    expect(await issueOf({ id: other.id })).toMatchObject([
      { message: expect.stringContaining('differs from the id in the path') },
    ]);
  });

  test('404 for an unknown one', async ({ api }) => {
    const body = { discount: { name: 'Other' } };
    expect(await api('PUT', '/discounts/discount_none', body)).toMatchObject({ status: 404 });
  });
});
