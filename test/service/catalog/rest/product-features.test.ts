import { describe, expect } from 'vitest';
import {
  aCreditGrant,
  aOneTimeProduct,
  aProduct,
  aProductFeature,
  aToggle,
  aUsageMeter,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^product_feature_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  productId: expect.stringMatching(/^prod_/),
  featureId: expect.stringMatching(/^feature_/),
  organizationId: expect.stringMatching(/^org_/),
  expiredAt: null,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
};

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

describe('POST /product-features', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const [product, feature] = [await aProduct(session), await aToggle(session)];
    const productFeature = { productId: product.id, featureId: feature.id };
    const { status, body } = await api('POST', '/product-features', { productFeature });
    expect({ status, body }).toEqual({
      status: 200,
      body: { productFeature: { ...record, ...productFeature } },
    });
    expect((await api('GET', `/products/${product.id}`)).body.features).toHaveLength(1);
  });

  test('renews the grant that has expired, rather than adding a second', async ({
    api,
    session,
  }) => {
    const [product, feature] = [await aProduct(session), await aToggle(session)];
    const { id } = await aProductFeature(session, product.id, feature.id);
    await api('POST', `/product-features/${id}/expire`);
    const productFeature = { productId: product.id, featureId: feature.id };
    const { body } = await api('POST', '/product-features', { productFeature });
    expect(body.productFeature).toEqual({ ...record, ...productFeature, id });
    expect((await api('GET', '/product-features')).body.total).toBe(1);
  });

  test('makes one grant for several who ask at once', async ({ api, session }) => {
    const [product, feature] = [await aProduct(session), await aToggle(session)];
    const body = { productFeature: { productId: product.id, featureId: feature.id } };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api('POST', '/product-features', body)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.productFeature.id)).size).toBe(1);
    expect((await api('GET', '/product-features')).body.total).toBe(1);
  });

  test('takes an end, as a number or as a date-time', async ({ api, session }) => {
    const [product, feature] = [await aProduct(session), await aToggle(session)];
    for (const expiredAt of [4_102_444_800_000, '2100-01-01T00:00:00Z', '2100-01-01']) {
      const { body } = await api('POST', '/product-features', {
        productFeature: { productId: product.id, featureId: feature.id, expiredAt },
      });
      expect(body.productFeature.expiredAt).toBe(4_102_444_800_000);
    }
    expect((await api('GET', `/products/${product.id}`)).body.features).toHaveLength(1);
  });

  test('400 for each id that is missing', async ({ api }) => {
    const { status, body } = await api('POST', '/product-features', { productFeature: {} });
    expect(status).toBe(400);
    expect(body.issues.map(({ message }: { message: string }) => message).toSorted()).toEqual([
      'productFeature.featureId: is required',
      'productFeature.productId: is required',
    ]);
  });

  test('400 for a product or a feature that the key does not see', async ({
    api,
    session,
    database,
  }) => {
    const { session: other } = await aTenant(database.orm.em);
    const [mine, theirs] = [
      { productId: (await aProduct(session)).id, featureId: (await aToggle(session)).id },
      { productId: (await aProduct(other)).id, featureId: (await aToggle(other)).id },
    ];
    const create = (productFeature: object) => api('POST', '/product-features', { productFeature });
    expect(await create({ ...mine, productId: theirs.productId })).toMatchObject(
      issues(`productFeature.productId: Unknown product ${theirs.productId}`),
    );
    expect(await create({ ...mine, featureId: theirs.featureId })).toMatchObject(
      issues(`productFeature.featureId: Unknown feature ${theirs.featureId}`),
    );
    expect((await api('GET', '/product-features')).body.total).toBe(0);
  });

  test('200 for every type of feature on a product that is paid for once', async ({
    api,
    session,
  }) => {
    const product = await aOneTimeProduct(session);
    const [toggle, credits] = [
      await aToggle(session),
      await aCreditGrant(session, (await aUsageMeter(session)).id),
    ];
    const create = (featureId: string) =>
      api('POST', '/product-features', { productFeature: { productId: product.id, featureId } });
    for (const { id } of [toggle, credits]) expect((await create(id)).status).toBe(200);
  });

  test('401 without a key; 403 with a publishable one', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const [product, feature] = [await aProduct(session), await aToggle(session)];
    const body = { productFeature: { productId: product.id, featureId: feature.id } };
    expect(await api('POST', '/product-features', body, { key: null })).toMatchObject({
      status: 401,
    });
    expect(await api('POST', '/product-features', body, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  });
});

describe('GET /product-features/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aProductFeature(
      session,
      (await aProduct(session)).id,
      (await aToggle(session)).id,
    );
    const { status, body } = await api('GET', `/product-features/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { productFeature: { ...record, id } } });
  });

  test('401 without a key', async ({ api }) => {
    const answer = await api('GET', '/product-features/product_feature_x', undefined, {
      key: null,
    });
    expect(answer).toMatchObject({ status: 401 });
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const { session } = await aTenant(database.orm.em);
    const { id } = await aProductFeature(
      session,
      (await aProduct(session)).id,
      (await aToggle(session)).id,
    );
    for (const path of ['/product-features/product_feature_x', `/product-features/${id}`]) {
      expect(await api('GET', path)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', issues: [] },
      });
    }
  });
});

describe('POST /product-features/{id}/expire', () => {
  test.for([
    ['an empty body', undefined],
    ['an empty object', {}],
  ] as const)(
    '200 with %s: the product grants it no longer',
    async ([, sent], { api, session }) => {
      const product = await aProduct(session);
      const { id } = await aProductFeature(session, product.id, (await aToggle(session)).id);
      const { status, body } = await api('POST', `/product-features/${id}/expire`, sent);
      expect({ status, body }).toEqual({ status: 200, body: { success: true } });
      expect((await api('GET', `/products/${product.id}`)).body.features).toEqual([]);
      const { productFeature } = (await api('GET', `/product-features/${id}`)).body;
      expect(productFeature.expiredAt).toBe(productFeature.updatedAt);
    },
  );

  test('200 again, and the first end stays', async ({ api, session }) => {
    const { id } = await aProductFeature(
      session,
      (await aProduct(session)).id,
      (await aToggle(session)).id,
    );
    await api('POST', `/product-features/${id}/expire`);
    const before = (await api('GET', `/product-features/${id}`)).body;
    expect((await api('POST', `/product-features/${id}/expire`)).status).toBe(200);
    expect((await api('GET', `/product-features/${id}`)).body).toEqual(before);
  });

  test('400 for a body that is not JSON', async ({ api }) => {
    const answer = await api('POST', '/product-features/product_feature_x/expire', '{');
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('401 without a key; 403 with a publishable one, and nothing ends', async ({
    api,
    session,
  }) => {
    const key = await aKey(session, 'publishable');
    const { id } = await aProductFeature(
      session,
      (await aProduct(session)).id,
      (await aToggle(session)).id,
    );
    const path = `/product-features/${id}/expire`;
    expect(await api('POST', path, {}, { key: null })).toMatchObject({ status: 401 });
    expect(await api('POST', path, {}, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect((await api('GET', `/product-features/${id}`)).body.productFeature.expiredAt).toBe(null);
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const { session } = await aTenant(database.orm.em);
    const { id } = await aProductFeature(
      session,
      (await aProduct(session)).id,
      (await aToggle(session)).id,
    );
    for (const unknown of ['product_feature_x', id]) {
      expect(await api('POST', `/product-features/${unknown}/expire`)).toMatchObject({
        status: 404,
      });
    }
  });
});

describe('GET /product-features', () => {
  test('200 with all grants, expired ones too, page by page without gap or repetition', async ({
    api,
    session,
  }) => {
    const features = await Promise.all(Array.from({ length: 5 }, () => aToggle(session)));
    const product = await aProduct(session, { featureIds: features.map(({ id }) => id) });
    await api('PUT', `/products/${product.id}`, { featureIds: [features[0]?.id] });
    const whole = (await api('GET', '/product-features')).body;
    expect(Object.keys(whole)).toEqual(['data', 'hasMore', 'total']);
    expect(whole).toMatchObject({ hasMore: false, total: 5 });
    for (const row of whole.data)
      expect(Object.keys(row).sort()).toEqual(Object.keys(record).sort());

    const first = (await api('GET', '/product-features?limit=3')).body;
    expect(first).toMatchObject({ hasMore: true, total: 5 });
    const last = (await api('GET', `/product-features?limit=3&cursor=${first.nextCursor}`)).body;
    expect(last).toMatchObject({ hasMore: false, total: 5, currentCursor: first.nextCursor });
    expect(last).not.toHaveProperty('nextCursor');
    expect([...first.data, ...last.data]).toEqual(whole.data);
  });

  test('400 for a size out of range; 401 without a key; 200 with a publishable one', async ({
    api,
    session,
  }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('GET', '/product-features?limit=0')).toMatchObject({ status: 400 });
    expect(await api('GET', '/product-features', undefined, { key: null })).toMatchObject({
      status: 401,
    });
    expect(await api('GET', '/product-features', undefined, { key })).toMatchObject({
      status: 200,
    });
  });
});
