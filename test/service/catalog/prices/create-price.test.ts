import { describe, expect } from 'vitest';
import { aOneTimeProduct, aProduct, aUsageMeter, aUsagePrice } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

const monthly = { type: 'subscription', unitPrice: 900, intervalUnit: 'month' };
const metered = { type: 'usage', unitPrice: 3, usageEventsPerUnit: 10, intervalUnit: 'month' };

describe('a product’s new price', () => {
  test('takes over from all its others, unless it is not to be the default', async ({
    api,
    session,
  }) => {
    const { id: productId } = await aProduct(session);
    const other = { ...monthly, productId, isDefault: false };
    await api('POST', '/prices', { price: other });
    const last = await api('POST', '/prices', { price: { ...monthly, productId } });
    const { prices, defaultPrice } = (await api('GET', `/products/${productId}`)).body;
    expect(defaultPrice).toEqual(last.body.price);
    expect(prices).toHaveLength(3);
    const inUse = prices.filter(
      (price: { active: boolean; isDefault: boolean }) => price.active || price.isDefault,
    );
    expect(inUse).toEqual([last.body.price]);
    expect(last.body.price).toMatchObject({ active: true, isDefault: true });
  });

  test('cannot be a default that is not active', async ({ api, session }) => {
    const { id: productId } = await aProduct(session);
    const price = { ...monthly, productId, active: false };
    expect(await api('POST', '/prices', { price })).toMatchObject(
      issues('price.active: must be true for a default price'),
    );
  });

  test('can have the slug of the price that it takes over from', async ({ api, session }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'pro' } });
    const { status } = await api('POST', '/prices', {
      price: { ...monthly, productId, slug: 'pro' },
    });
    expect(status).toBe(200);
  });

  test('is of the type of the others', async ({ api, session }) => {
    const { id: productId } = await aOneTimeProduct(session);
    const answer = await api('POST', '/prices', { price: { ...monthly, productId } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api('GET', `/products/${productId}`)).body.prices).toHaveLength(1);
  });

  test('is refused for the default product', async ({ api }) => {
    const [{ id: productId }] = (await api('GET', '/products')).body.data;
    const answer = await api('POST', '/prices', { price: { ...monthly, productId } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  test('is refused for a product that the key does not see', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aProduct(other.session);
    for (const productId of [id, 'prod_x']) {
      expect(await api('POST', '/prices', { price: { ...monthly, productId } })).toMatchObject(
        issues(`price.productId: Unknown product ${productId}`),
      );
    }
  });

  test('leaves the others in use when it is refused', async ({ api, session }) => {
    await aProduct(session, { price: { slug: 'taken' } });
    const { id: productId } = await aProduct(session);
    const before = (await api('GET', `/products/${productId}`)).body.prices;
    expect(
      await api('POST', '/prices', { price: { ...monthly, productId, slug: 'taken' } }),
    ).toMatchObject(
      issues('price.slug: is the slug of another active price of this pricing model'),
    );
    expect((await api('GET', `/products/${productId}`)).body.prices).toEqual(before);
  });

  test('gets a slug for exactly one of several products that ask at once', async ({
    api,
    session,
  }) => {
    const products = await Promise.all([1, 2, 3, 4].map(() => aProduct(session)));
    const answers = await Promise.all(
      products.map(({ id: productId }) =>
        api('POST', '/prices', { price: { ...monthly, productId, slug: 'pro' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });
});

describe('a usage meter’s new price', () => {
  test('joins the others without being the default', async ({ api, session }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const { body } = await api('POST', '/prices', { price: { ...metered, usageMeterId } });
    expect(body.price).toMatchObject({ isDefault: false, active: true, productId: null });
    const { data } = (await api('GET', '/prices')).body;
    const fallback = data.find((price: { slug: string }) => price.slug.endsWith('_no_charge'));
    expect(fallback).toMatchObject({ isDefault: true, active: true });
  });

  test('takes the default from the one that has it when asked, which stays active', async ({
    api,
    session,
  }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const old = await aUsagePrice(session, usageMeterId, { isDefault: true });
    const { body } = await api('POST', '/prices', {
      price: { ...metered, usageMeterId, isDefault: true },
    });
    expect(body.price.isDefault).toBe(true);
    expect((await api('GET', `/prices/${old.id}`)).body.price).toMatchObject({
      isDefault: false,
      active: true,
    });
  });

  test('becomes the default of exactly one of several who ask at once', async ({
    api,
    session,
  }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const price = { ...metered, usageMeterId, isDefault: true };
    const answers = await Promise.all([1, 2, 3, 4].map(() => api('POST', '/prices', { price })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { data } = (await api('GET', '/prices')).body;
    const defaults = data.filter(
      (price: { isDefault: boolean; type: string }) => price.type === 'usage' && price.isDefault,
    );
    expect(defaults).toHaveLength(1);
  });

  test('cannot be a default that is not active', async ({ api, session }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const price = { ...metered, usageMeterId, isDefault: true, active: false };
    expect(await api('POST', '/prices', { price })).toMatchObject(
      issues('price.active: must be true for a default price'),
    );
  });

  test('keeps off the slugs of fallback prices; other types and other places may have the suffix', async ({
    api,
    session,
  }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const { id: productId } = await aProduct(session);
    expect(
      await api('POST', '/prices', { price: { ...metered, usageMeterId, slug: 'a_no_charge' } }),
    ).toMatchObject(
      issues('price.slug: must not end in _no_charge, which is reserved for fallback prices'),
    );
    for (const price of [
      { ...metered, usageMeterId, slug: 'a_no_charge_b' },
      { ...monthly, productId, slug: 'a_no_charge' },
    ]) {
      expect((await api('POST', '/prices', { price })).status).toBe(200);
    }
  });

  test('is refused for a usage meter that the key does not see', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aUsageMeter(other.session);
    for (const usageMeterId of [id, 'usage_meter_x']) {
      expect(await api('POST', '/prices', { price: { ...metered, usageMeterId } })).toMatchObject(
        issues(`price.usageMeterId: Unknown usage meter ${usageMeterId}`),
      );
    }
  });

  test('has the fields of its type and no others', async ({ api, session }) => {
    const { id: productId } = await aProduct(session);
    const price = { type: 'usage', unitPrice: 1, trialPeriodDays: 3, productId };
    expect(await api('POST', '/prices', { price })).toMatchObject(
      issues(
        'price.intervalUnit: is required for a usage price',
        'price.usageEventsPerUnit: is required for a usage price',
        'price.trialPeriodDays: is not allowed for a usage price',
        'price.productId: is not allowed for a usage price',
        'price.usageMeterId: is required for a usage price: it names the usage meter',
      ),
    );
  });
});
