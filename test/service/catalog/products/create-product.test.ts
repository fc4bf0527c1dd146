import { describe, expect } from 'vitest';
import { aOneTimeProduct, aProduct, aToggle } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const monthly = { type: 'subscription', unitPrice: 900, intervalUnit: 'month' };

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

describe('creating a product', () => {
  test('makes its price the default one, active, in the organization’s currency', async ({
    api,
  }) => {
    const price = {
      ...monthly,
      isDefault: false,
      active: false,
      intervalCount: 3,
      trialPeriodDays: 7,
      slug: 'p',
    };
    const { body } = await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price,
    });
    const stored = (await api('GET', `/products/${body.product.id}`)).body;
    expect(stored.prices).toHaveLength(1);
    expect(stored.defaultPrice).toMatchObject({
      ...price,
      isDefault: true,
      active: true,
      currency: 'USD',
      productId: body.product.id,
    });
  });

  test('bills every interval once unless a count is given', async ({ api }) => {
    const { body } = await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price: monthly,
    });
    const { defaultPrice } = (await api('GET', `/products/${body.product.id}`)).body;
    expect(defaultPrice).toMatchObject({ intervalUnit: 'month', intervalCount: 1 });
  });

  test('grants the features that are listed, each once', async ({ api, session }) => {
    const features = [await aToggle(session), await aToggle(session)];
    const [one, two] = features.map(({ id }) => id);
    const { body } = await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price: monthly,
      featureIds: [one, two, one],
    });
    const stored = (await api('GET', `/products/${body.product.id}`)).body;
    expect(stored.features.map(({ id }: { id: string }) => id).sort()).toEqual([one, two].sort());
    expect((await api('GET', '/product-features')).body.total).toBe(2);
  });

  test('stores the optional texts, and null as absent', async ({ api }) => {
    const product = {
      name: ' Pro ',
      slug: 'pro',
      description: 'Everything',
      imageURL: 'https://example.com/pro.png',
      singularQuantityLabel: 'seat',
      pluralQuantityLabel: null,
      active: false,
    };
    const answer = await api('POST', '/products', { product, price: monthly });
    expect(answer.body.product).toMatchObject({ ...product, name: 'Pro' });
  });

  test('takes numbers that come as text', async ({ api }) => {
    const price = { ...monthly, unitPrice: '900', intervalCount: '2', trialPeriodDays: '14' };
    const { body } = await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price,
    });
    const { defaultPrice } = (await api('GET', `/products/${body.product.id}`)).body;
    expect(defaultPrice).toMatchObject({ unitPrice: 900, intervalCount: 2, trialPeriodDays: 14 });
  });

  test('gives a slug to exactly one of several who ask at once', async ({ api }) => {
    const body = { product: { name: 'Pro', slug: 'pro' }, price: monthly };
    const answers = await Promise.all([1, 2, 3, 4].map(() => api('POST', '/products', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)).toMatchObject(
      issues('product.slug: is the slug of another product of this pricing model'),
    );
    expect((await api('GET', '/prices')).body.total).toBe(2);
  });

  test('lets another organization have the same slug', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    await aProduct(other.session, { slug: 'pro' });
    const answer = await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price: monthly,
    });
    expect(answer.status).toBe(200);
  });

  test('is undone as a whole when its price or a feature is refused', async ({ api, session }) => {
    await aProduct(session, { price: { slug: 'taken' } });
    const product = { name: 'Pro', slug: 'pro' };
    const { id } = await aToggle(session);
    expect(
      await api('POST', '/products', { product, price: { ...monthly, slug: 'taken' } }),
    ).toMatchObject(
      issues('price.slug: is the slug of another active price of this pricing model'),
    );
    expect(
      await api('POST', '/products', { product, price: monthly, featureIds: [id, 'feature_x'] }),
    ).toMatchObject(issues('featureIds.1: Unknown feature feature_x'));
    expect((await api('GET', '/products')).body.total).toBe(2);
    expect((await api('GET', '/prices')).body.total).toBe(2);
    expect((await api('GET', '/product-features')).body.total).toBe(0);
  });

  test('refuses a second default product', async ({ api }) => {
    const product = { name: 'Free', slug: 'free-too', default: true };
    expect(await api('POST', '/products', { product, price: monthly })).toMatchObject({
      status: 403,
    });
  });

  test('refuses a usage price, which belongs to a usage meter', async ({ api }) => {
    const price = { type: 'usage', unitPrice: 1, intervalUnit: 'month', usageEventsPerUnit: 1 };
    const answer = await api('POST', '/products', { product: { name: 'Pro', slug: 'pro' }, price });
    expect(answer).toMatchObject(
      issues(
        'price.type: must be subscription or single_payment: usage prices belong to usage meters',
      ),
    );
  });

  test('refuses another pricing model than the key’s, and takes the key’s own', async ({
    api,
    session,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const create = (pricingModelId: string) =>
      api('POST', '/products', {
        product: { name: 'Pro', slug: 'pro', pricingModelId },
        price: monthly,
      });
    const { status, body } = await create(other.session.pricingModelId);
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { message: expect.stringMatching(/^product\.pricingModelId: must be /) },
    ]);
    expect((await create(session.pricingModelId)).status).toBe(200);
  });

  test('grants a toggle feature although it is paid for once', async ({ api, session }) => {
    const { id } = await aToggle(session);
    const answer = await api('POST', '/products', {
      product: { name: 'Setup', slug: 'setup' },
      price: { type: 'single_payment', unitPrice: 5_000 },
      featureIds: [id],
    });
    expect(answer.status).toBe(200);
    const { data } = (await api('GET', '/product-features')).body;
    expect(data).toMatchObject([{ productId: answer.body.product.id, featureId: id }]);
  });

  test.for([
    [
      { type: 'subscription', unitPrice: 1 },
      'price.intervalUnit: is required for a subscription price',
    ],
    [
      { ...monthly, usageEventsPerUnit: 5 },
      'price.usageEventsPerUnit: is not allowed for a subscription price',
    ],
    [
      { type: 'single_payment', unitPrice: 1, intervalUnit: 'day' },
      'price.intervalUnit: is not allowed for a single_payment price',
    ],
    [
      { type: 'single_payment', unitPrice: 1, trialPeriodDays: 3 },
      'price.trialPeriodDays: is not allowed for a single_payment price',
    ],
  ] as const)('refuses a price with %j', async ([price, message], { api }) => {
    const answer = await api('POST', '/products', { product: { name: 'Pro', slug: 'pro' }, price });
    expect(answer).toMatchObject(issues(message));
  });

  test.for([
    ['unitPrice', -1],
    ['unitPrice', 1.5],
    ['unitPrice', 2 ** 53],
    ['unitPrice', 'much'],
    ['intervalCount', 0],
    ['intervalUnit', 'decade'],
    ['trialPeriodDays', -1],
    ['slug', ''],
    ['slug', 's'.repeat(256)],
  ] as const)('refuses a price whose %s is %s', async ([field, value], { api }) => {
    const price = { ...monthly, [field]: value };
    const { status, body } = await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price,
    });
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ message: expect.stringMatching(`^price\\.${field}: `) }]);
  });

  test('refuses a price of another type than the product’s', async ({ api, session }) => {
    const { id } = await aOneTimeProduct(session);
    const answer = await api('POST', '/prices', { price: { ...monthly, productId: id } });
    expect(answer).toMatchObject({ status: 403 });
  });
});
