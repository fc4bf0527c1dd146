import { describe, expect } from 'vitest';
import { aOneTimeProduct, aProduct, aUsageMeter } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

describe('the price of a product', () => {
  test.for([
    { unitPrice: 1_001 },
    { unitPrice: '1001' },
    { intervalUnit: 'year' },
    { intervalCount: 2 },
    { trialPeriodDays: 14 },
    { name: 'Yearly' },
    { slug: 'other' },
  ])('is succeeded by another when it gets %j', async (price, { api, session }) => {
    const { id } = await aProduct(session);
    const before = (await api('GET', `/products/${id}`)).body.defaultPrice;
    expect((await api('PUT', `/products/${id}`, { price })).status).toBe(200);
    const { prices, defaultPrice } = (await api('GET', `/products/${id}`)).body;
    expect(prices).toHaveLength(2);
    expect(prices).toContainEqual({
      ...before,
      isDefault: false,
      active: false,
      updatedAt: expect.any(Number),
    });
    expect(defaultPrice).toEqual({
      ...before,
      ...price,
      ...('unitPrice' in price && { unitPrice: 1_001 }),
      id: expect.not.stringContaining(before.id),
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
  });

  test.for([
    {},
    { unitPrice: 1_000 },
    { unitPrice: '1000', intervalUnit: 'month', intervalCount: 1, type: 'subscription' },
    { isDefault: true, active: true, slug: 'basic', name: null, usageMeterId: null },
    // A trial of no days is no trial.
    { trialPeriodDays: 0 },
  ])('stays the same one with %j', async (price, { api, session }) => {
    const { id } = await aProduct(session, { price: { slug: 'basic' } });
    const before = (await api('GET', `/products/${id}`)).body.prices;
    expect(
      (await api('PUT', `/products/${id}`, { price: { ...price, productId: id } })).status,
    ).toBe(200);
    expect((await api('GET', `/products/${id}`)).body.prices).toEqual(before);
  });

  test('keeps its id and gets the slug when the product’s slug changes', async ({
    api,
    session,
  }) => {
    const { id } = await aProduct(session, { slug: 'basic', price: { slug: 'basic-monthly' } });
    const before = (await api('GET', `/products/${id}`)).body.defaultPrice;
    await api('PUT', `/products/${id}`, { product: { slug: 'pro' }, price: { slug: 'ignored' } });
    expect((await api('GET', `/products/${id}`)).body.prices).toEqual([
      { ...before, slug: 'pro', updatedAt: expect.any(Number) },
    ]);
  });

  test('gets the product’s new slug also when it is succeeded', async ({ api, session }) => {
    const { id } = await aProduct(session, { slug: 'basic', price: { slug: 'basic' } });
    await api('PUT', `/products/${id}`, { product: { slug: 'pro' }, price: { unitPrice: 5 } });
    const { prices, defaultPrice } = (await api('GET', `/products/${id}`)).body;
    expect(defaultPrice).toMatchObject({ slug: 'pro', unitPrice: 5 });
    expect(prices.find(({ active }: { active: boolean }) => !active)).toMatchObject({
      slug: 'basic',
    });
  });

  test('hands its slug on to its successor', async ({ api, session }) => {
    const { id } = await aProduct(session, { price: { slug: 'basic' } });
    await api('PUT', `/products/${id}`, { price: { unitPrice: 5 } });
    expect((await api('GET', `/products/${id}`)).body.defaultPrice).toMatchObject({
      slug: 'basic',
      unitPrice: 5,
    });
  });

  test('cannot take the slug of another active price, only of a retired one', async ({
    api,
    session,
  }) => {
    const other = await aProduct(session, { price: { slug: 'taken' } });
    const { id } = await aProduct(session);
    const take = () => api('PUT', `/products/${id}`, { price: { slug: 'taken' } });
    expect(await take()).toMatchObject(
      issues('price.slug: is the slug of another active price of this pricing model'),
    );
    await api('PUT', `/products/${other.id}`, { price: { slug: 'free-again' } });
    expect((await take()).status).toBe(200);
  });

  test('keeps its type', async ({ api, session }) => {
    const [monthly, once] = [await aProduct(session), await aOneTimeProduct(session)];
    const refused = [
      await api('PUT', `/products/${monthly.id}`, {
        price: { type: 'single_payment', unitPrice: 1 },
      }),
      await api('PUT', `/products/${monthly.id}`, {
        price: { type: 'usage', usageEventsPerUnit: 1 },
      }),
      await api('PUT', `/products/${once.id}`, {
        price: { type: 'subscription', intervalUnit: 'day' },
      }),
    ];
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    for (const { id } of [monthly, once]) {
      expect((await api('GET', `/products/${id}`)).body.prices).toHaveLength(1);
    }
  });

  test('has only the fields of its type', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    const [monthly, once] = [await aProduct(session), await aOneTimeProduct(session)];
    expect(
      await api('PUT', `/products/${monthly.id}`, {
        price: { usageEventsPerUnit: 5, usageMeterId: meter.id },
      }),
    ).toMatchObject(
      issues(
        'price.usageEventsPerUnit: is not allowed for a subscription price',
        'price.usageMeterId: is not allowed for a subscription price',
      ),
    );
    expect(
      await api('PUT', `/products/${monthly.id}`, { price: { usageMeterId: meter.id } }),
    ).toMatchObject(issues('price.usageMeterId: is not allowed for a subscription price'));
    expect(
      await api('PUT', `/products/${once.id}`, { price: { intervalUnit: 'month' } }),
    ).toMatchObject(issues('price.intervalUnit: is not allowed for a single_payment price'));
  });

  test.for([
    [
      { isDefault: false },
      'price.isDefault: must be true: this is the default price of the product',
    ],
    [{ active: false }, 'price.active: must be true: this is the default price of the product'],
  ] as const)('stays in use: %j is refused', async ([price, message], { api, session }) => {
    const { id } = await aProduct(session);
    expect(await api('PUT', `/products/${id}`, { price })).toMatchObject(issues(message));
  });

  test('belongs to the product of the call', async ({ api, session }) => {
    const [one, two] = [await aProduct(session), await aProduct(session)];
    expect(await api('PUT', `/products/${one.id}`, { price: { productId: two.id } })).toMatchObject(
      issues(`price.productId: must be ${one.id}`),
    );
  });
});
