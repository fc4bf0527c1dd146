import { describe, expect } from 'vitest';
import { aOneTimeProduct, aProduct, aUsageMeter, aUsagePrice } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^price_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  intervalUnit: null,
  name: null,
  intervalCount: null,
  type: 'single_payment',
  trialPeriodDays: null,
  isDefault: true,
  unitPrice: 700,
  usageEventsPerUnit: null,
  productId: expect.any(String),
  active: true,
  currency: 'USD',
  slug: null,
  usageMeterId: null,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
};

describe('POST /prices', () => {
  test('200 with the documented record of a single payment', async ({ api, session }) => {
    const { id: productId } = await aOneTimeProduct(session);
    const { status, body } = await api('POST', '/prices', {
      price: { type: 'single_payment', productId, unitPrice: 700, isDefault: true },
    });
    expect({ status, body }).toEqual({ status: 200, body: { price: { ...record, productId } } });
  });

  test('200 with the documented record of a subscription', async ({ api, session }) => {
    const { id: productId } = await aProduct(session);
    const price = {
      type: 'subscription',
      productId,
      unitPrice: 0,
      intervalUnit: 'week',
      intervalCount: 2,
    };
    const { status, body } = await api('POST', '/prices', {
      price: { ...price, trialPeriodDays: 30 },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { price: { ...record, ...price, trialPeriodDays: 30 } },
    });
  });

  test('200 with the documented record of metered usage', async ({ api, session }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const price = {
      type: 'usage',
      usageMeterId,
      unitPrice: 3,
      usageEventsPerUnit: 1_000,
      intervalUnit: 'day',
    };
    const { status, body } = await api('POST', '/prices', { price: { ...price, slug: 'calls' } });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        price: {
          ...record,
          ...price,
          slug: 'calls',
          intervalCount: 1,
          productId: null,
          isDefault: false,
        },
      },
    });
  });

  test('400 with one issue for each problem', async ({ api }) => {
    const price = {
      type: 'subscription',
      unitPrice: 1,
      usageEventsPerUnit: 5,
      usageMeterId: 'usage_meter_x',
    };
    const { status, body } = await api('POST', '/prices', { price });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'BAD_REQUEST',
      message: 'Invalid input data',
      issues: [
        { message: 'price.intervalUnit: is required for a subscription price' },
        { message: 'price.usageEventsPerUnit: is not allowed for a subscription price' },
        { message: 'price.usageMeterId: is not allowed for a subscription price' },
        { message: 'price.productId: is required: it names the product of the price' },
      ],
    });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('POST', '/prices', {}, { key: null })).toMatchObject({ status: 401 });
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const { id: productId } = await aOneTimeProduct(session);
    const price = { type: 'single_payment', productId, unitPrice: 700 };
    expect(await api('POST', '/prices', { price }, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });
});

describe('GET /prices/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id: productId } = await aOneTimeProduct(session);
    const { defaultPrice } = (await api('GET', `/products/${productId}`)).body;
    expect(await api('GET', `/prices/${defaultPrice.id}`)).toMatchObject({
      status: 200,
      body: { price: { ...record, productId, unitPrice: 5_000 } },
    });
    expect((await api('GET', `/prices/${defaultPrice.id}`)).body).toEqual({ price: defaultPrice });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('GET', '/prices/price_x', undefined, { key: null })).toMatchObject({
      status: 401,
    });
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const meter = await aUsageMeter(other.session);
    const { id } = await aUsagePrice(other.session, meter.id);
    for (const path of ['/prices/price_x', `/prices/${id}`]) {
      expect(await api('GET', path)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', issues: [] },
      });
    }
  });
});

describe('PUT /prices/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    const { id } = await aUsagePrice(session, meter.id);
    const changes = {
      id,
      type: 'usage',
      name: 'Calls',
      slug: 'calls',
      active: false,
      isDefault: false,
    };
    const { status, body } = await api('PUT', `/prices/${id}`, { price: changes });
    expect(status).toBe(200);
    expect(Object.keys(body.price).sort()).toEqual(Object.keys(record).sort());
    expect(body.price).toMatchObject({
      ...changes,
      usageMeterId: meter.id,
      productId: null,
      unitPrice: 2,
    });
  });

  test('400 with the field named', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    const { id } = await aUsagePrice(session, meter.id);
    expect(await api('PUT', `/prices/${id}`, {})).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', issues: [{ message: 'price: is required' }] },
    });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('PUT', '/prices/price_x', {}, { key: null })).toMatchObject({ status: 401 });
  });

  test('403 with a publishable key, and nothing changes', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const meter = await aUsageMeter(session);
    const { id } = await aUsagePrice(session, meter.id);
    const answer = await api('PUT', `/prices/${id}`, { price: { name: 'Mine' } }, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api('GET', `/prices/${id}`)).body.price.name).toBe(null);
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const meter = await aUsageMeter(other.session);
    const { id } = await aUsagePrice(other.session, meter.id);
    for (const path of ['/prices/price_x', `/prices/${id}`]) {
      expect(await api('PUT', path, { price: { name: 'Mine' } })).toMatchObject({ status: 404 });
    }
  });
});

describe('GET /prices', () => {
  test('200 with all prices, retired and fallback ones among them, oldest first', async ({
    api,
    session,
  }) => {
    const meter = await aUsageMeter(session, { slug: 'calls' });
    const { id } = await aProduct(session, { price: { slug: 'pro' } });
    await api('PUT', `/products/${id}`, { price: { unitPrice: 5 } });
    const { status, body } = await api('GET', '/prices');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'hasMore', 'total']);
    expect(body).toMatchObject({ hasMore: false, total: 4 });
    for (const row of body.data)
      expect(Object.keys(row).sort()).toEqual(Object.keys(record).sort());
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          usageMeterId: meter.id,
          slug: 'calls_no_charge',
          isDefault: true,
        }),
        expect.objectContaining({ productId: id, slug: 'pro', active: false }),
      ]),
    );
    expect(body.data.at(-1)).toMatchObject({ productId: id, unitPrice: 5, active: true });
  });

  test('gives every row exactly once when all pages are walked', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    await Promise.all(Array.from({ length: 5 }, () => aUsagePrice(session, meter.id)));
    const whole = (await api('GET', '/prices')).body.data;
    const rows = [];
    let page = (await api('GET', '/prices?limit=2')).body;
    rows.push(...page.data);
    while (page.nextCursor) {
      page = (await api('GET', `/prices?limit=2&cursor=${page.nextCursor}`)).body;
      expect(page.total).toBe(7);
      rows.push(...page.data);
    }
    expect(rows).toEqual(whole);
  });

  test('400 for a size out of range; 401 without a key; 200 with a publishable one', async ({
    api,
    session,
  }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('GET', '/prices?limit=0')).toMatchObject({ status: 400 });
    expect(await api('GET', '/prices', undefined, { key: null })).toMatchObject({ status: 401 });
    expect(await api('GET', '/prices', undefined, { key })).toMatchObject({ status: 200 });
  });
});
