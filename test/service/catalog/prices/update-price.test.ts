import { describe, expect } from 'vitest';
import { aProduct, aUsageMeter, aUsagePrice } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

interface Row {
  id: string;
  slug: string | null;
  productId: string | null;
  usageMeterId: string | null;
  active: boolean;
}

type Api = (method: string, path: string) => Promise<{ body: { data: Row[] } }>;

const pricesOf = async (api: Api, ownerId: string) =>
  (await api('GET', '/prices?limit=100')).body.data.filter(
    ({ productId, usageMeterId }) => productId === ownerId || usageMeterId === ownerId,
  );

const fallbackOf = async (api: Api, meterId: string) =>
  (await pricesOf(api, meterId)).find(({ slug }) => slug?.endsWith('_no_charge')) as Row;

describe('the terms of a price', () => {
  test('cannot change in the database, not even by SQL', async ({ session }) => {
    await aProduct(session);
    for (const change of ['unit_price = 1', `currency = 'EUR'`, 'interval_count = 7']) {
      const update = session.em
        .fork()
        .execute(`update price set ${change} where unit_price = 1000`);
      await expect(update, change).rejects.toThrow('cannot change');
    }
  });

  test('include the currency: the organization’s, or any other of ISO 4217', async ({
    api,
    session,
  }) => {
    const product = await aProduct(session);
    const [price] = await pricesOf(api, product.id);
    const put = (path: string) => api('PUT', path, { price: { currency: 'EUR' } });
    expect(await put(`/products/${product.id}`)).toMatchObject(
      issues('price.currency: cannot change from USD to EUR: create a price in EUR next to it'),
    );
    expect(await put(`/prices/${price?.id}`)).toMatchObject(
      issues('price.currency: cannot change (it is USD): create another price'),
    );
    expect((await api('PUT', `/prices/${price?.id}`, { price: { currency: 'USD' } })).status).toBe(
      200,
    );
    const terms = { type: 'subscription', unitPrice: 1, intervalUnit: 'month' };
    for (const currency of ['eur', 'EURO', 'XXX', 'CLF', '']) {
      const wrong = { ...terms, currency, productId: product.id };
      expect(await api('POST', '/prices', { price: wrong })).toMatchObject(
        issues(
          'price.currency: must be an ISO 4217 code of a currency in upper case, such as EUR, JPY or KWD',
        ),
      );
    }
    const jpy = { ...terms, currency: 'JPY', productId: product.id };
    expect(await api('POST', '/prices', { price: jpy })).toMatchObject({
      status: 200,
      body: { price: { currency: 'JPY', isDefault: false, active: true } },
    });
    // The price in another currency is sold beside the default one.
    expect((await pricesOf(api, product.id)).filter(({ active }) => active)).toHaveLength(2);
  });
});

describe('updating a price', () => {
  test('leaves everything that is absent or null as it is', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    const { id } = await aUsagePrice(session, meter.id, { slug: 'calls' });
    const before = (await api('GET', `/prices/${id}`)).body;
    const nulls = { name: null, slug: null, active: null, isDefault: null, unitPrice: null };
    for (const price of [{}, nulls]) {
      expect((await api('PUT', `/prices/${id}`, { price })).status).toBe(200);
      expect((await api('GET', `/prices/${id}`)).body).toEqual(before);
    }
  });

  test('goes by the id in the path: another one in the body is refused', async ({
    api,
    session,
  }) => {
    const meter = await aUsageMeter(session);
    const [one, two] = [await aUsagePrice(session, meter.id), await aUsagePrice(session, meter.id)];
    expect(
      await api('PUT', `/prices/${one.id}`, { price: { id: two.id, name: 'X' } }),
    ).toMatchObject(issues('price.id: differs from the id in the path'));
    expect((await api('GET', `/prices/${two.id}`)).body.price.name).toBe(null);
  });

  test.for([
    [{ unitPrice: 3 }, 'price.unitPrice: cannot change (it is 2): create another price'],
    [
      { usageEventsPerUnit: 11 },
      'price.usageEventsPerUnit: cannot change (it is 10): create another price',
    ],
    [
      { intervalUnit: 'year' },
      'price.intervalUnit: cannot change (it is month): create another price',
    ],
    [{ intervalCount: 2 }, 'price.intervalCount: cannot change (it is 1): create another price'],
    [
      { trialPeriodDays: 7 },
      'price.trialPeriodDays: cannot change (it is null): create another price',
    ],
    [{ type: 'subscription' }, 'price.type: cannot change (it is usage): create another price'],
  ] as const)('keeps what it costs: %j is refused', async ([price, message], { api, session }) => {
    const meter = await aUsageMeter(session);
    const { id } = await aUsagePrice(session, meter.id);
    const before = (await api('GET', `/prices/${id}`)).body;
    expect(await api('PUT', `/prices/${id}`, { price: { name: 'New', ...price } })).toMatchObject(
      issues(message),
    );
    expect((await api('GET', `/prices/${id}`)).body).toEqual(before);
  });

  test('takes what it costs again, numbers as text and no trial as 0 days', async ({
    api,
    session,
  }) => {
    const meter = await aUsageMeter(session);
    const { id } = await aUsagePrice(session, meter.id);
    const price = {
      type: 'usage',
      unitPrice: '2',
      usageEventsPerUnit: 10,
      intervalUnit: 'month',
      trialPeriodDays: 0,
    };
    expect((await api('PUT', `/prices/${id}`, { price })).status).toBe(200);
  });

  test('refuses the slug of another active price, also among several who ask at once', async ({
    api,
    session,
  }) => {
    const meter = await aUsageMeter(session);
    const rows = await Promise.all([1, 2, 3, 4].map(() => aUsagePrice(session, meter.id)));
    const answers = await Promise.all(
      rows.map(({ id }) => api('PUT', `/prices/${id}`, { price: { slug: 'calls' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)).toMatchObject(
      issues('price.slug: is the slug of another active price of this pricing model'),
    );
  });

  test('refuses to bring back a price whose slug another active one has by now', async ({
    api,
    session,
  }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'pro' } });
    await api('PUT', `/products/${productId}`, { price: { unitPrice: 5 } });
    const [retired] = (await api('GET', `/products/${productId}`)).body.prices;
    expect(await api('PUT', `/prices/${retired.id}`, { price: { active: true } })).toMatchObject(
      issues('price.slug: is the slug of another active price of this pricing model'),
    );
  });
});

describe('the default price of a product', () => {
  test('moves to a price that is active or made so', async ({ api, session }) => {
    const { id } = await aProduct(session);
    await api('PUT', `/products/${id}`, { price: { unitPrice: 5 } });
    const [old, current] = (await api('GET', `/products/${id}`)).body.prices;
    expect(await api('PUT', `/prices/${old.id}`, { price: { isDefault: true } })).toMatchObject(
      issues('price.active: must be true for a default price'),
    );
    const { status } = await api('PUT', `/prices/${old.id}`, {
      price: { isDefault: true, active: true },
    });
    expect(status).toBe(200);
    expect((await api('GET', `/products/${id}`)).body.defaultPrice.id).toBe(old.id);
    expect((await api('GET', `/prices/${current.id}`)).body.price.isDefault).toBe(false);
  });

  test.for([
    [{ isDefault: false }, 'isDefault'],
    [{ active: false }, 'active'],
  ] as const)('is not left empty: %j is refused', async ([price, field], { api, session }) => {
    const { id } = await aProduct(session);
    const { defaultPrice } = (await api('GET', `/products/${id}`)).body;
    expect(await api('PUT', `/prices/${defaultPrice.id}`, { price })).toMatchObject(
      issues(
        `price.${field}: must stay true: a product needs a default price; make another price the default first`,
      ),
    );
  });

  test('is protected on the default product, except for its name', async ({ api }) => {
    const [{ id }] = (await api('GET', '/products')).body.data;
    const { defaultPrice } = (await api('GET', `/products/${id}`)).body;
    const path = `/prices/${defaultPrice.id}`;
    for (const price of [{ slug: 'other' }, { isDefault: false }, { active: false }]) {
      expect(await api('PUT', path, { price })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    }
    expect((await api('GET', path)).body.price).toEqual(defaultPrice);
    const same = { slug: defaultPrice.slug, isDefault: true, active: true, name: 'Nothing' };
    expect(await api('PUT', path, { price: same })).toMatchObject({
      status: 200,
      body: { price: same },
    });
  });
});

describe('the default price of a usage meter', () => {
  test('moves when another is made it', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    const old = await aUsagePrice(session, meter.id, { isDefault: true });
    const { id } = await aUsagePrice(session, meter.id);
    const { body } = await api('PUT', `/prices/${id}`, { price: { isDefault: true } });
    expect(body.price.isDefault).toBe(true);
    expect((await api('GET', `/prices/${old.id}`)).body.price).toMatchObject({
      isDefault: false,
      active: true,
    });
  });

  test.for([{ isDefault: false }, { active: false }, { active: false, isDefault: true }])(
    'falls back to the free one with %j',
    async (price, { api, session }) => {
      const meter = await aUsageMeter(session);
      const { id } = await aUsagePrice(session, meter.id, { isDefault: true });
      expect(await fallbackOf(api, meter.id)).toMatchObject({ isDefault: false });
      expect((await api('PUT', `/prices/${id}`, { price })).body.price).toMatchObject({
        isDefault: false,
        active: !('active' in price),
      });
      expect(await fallbackOf(api, meter.id)).toMatchObject({ isDefault: true, active: true });
    },
  );

  test('stays where it is when another price is retired', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    const main = await aUsagePrice(session, meter.id, { isDefault: true });
    const { id } = await aUsagePrice(session, meter.id);
    await api('PUT', `/prices/${id}`, { price: { active: false } });
    expect((await api('GET', `/prices/${main.id}`)).body.price.isDefault).toBe(true);
  });
});

describe('the fallback price of a usage meter', () => {
  test.for([
    [{ active: false }, 'price.active: must stay true: this is the fallback price'],
    [
      { slug: 'other' },
      'price.slug: cannot change: only the name of the fallback price can change',
    ],
    [{ isDefault: false }, 'price.isDefault: cannot be unset: make another price the default'],
  ] as const)('refuses %j', async ([price, message], { api, session }) => {
    const meter = await aUsageMeter(session);
    const { id } = await fallbackOf(api, meter.id);
    expect(await api('PUT', `/prices/${id}`, { price })).toMatchObject(issues(message));
  });

  test('takes a name, its own slug again, and the default back', async ({ api, session }) => {
    const meter = await aUsageMeter(session, { slug: 'calls' });
    const custom = await aUsagePrice(session, meter.id, { isDefault: true });
    const { id } = await fallbackOf(api, meter.id);
    const price = { name: 'Included', slug: 'calls_no_charge', isDefault: true };
    expect(await api('PUT', `/prices/${id}`, { price })).toMatchObject({
      status: 200,
      body: { price },
    });
    expect((await api('GET', `/prices/${custom.id}`)).body.price.isDefault).toBe(false);
  });

  test('keeps its kind of slug to itself, also when another price is renamed', async ({
    api,
    session,
  }) => {
    const meter = await aUsageMeter(session);
    const { id } = await aUsagePrice(session, meter.id);
    expect(await api('PUT', `/prices/${id}`, { price: { slug: 'a_no_charge' } })).toMatchObject(
      issues('price.slug: must not end in _no_charge, which is reserved for fallback prices'),
    );
    expect((await api('PUT', `/prices/${id}`, { price: { slug: 'a_no_charge_b' } })).status).toBe(
      200,
    );
  });
});
