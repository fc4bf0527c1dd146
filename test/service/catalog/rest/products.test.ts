import { describe, expect } from 'vitest';
import { aProduct, aToggle } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^prod_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  name: 'Pro',
  description: null,
  imageURL: null,
  organizationId: expect.stringMatching(/^org_/),
  active: true,
  singularQuantityLabel: null,
  pluralQuantityLabel: null,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  default: false,
  slug: 'pro',
};

const price = { type: 'subscription', unitPrice: 900, intervalUnit: 'month', intervalCount: 1 };
const body = { product: { name: 'Pro', slug: 'pro' }, price };

describe('POST /products', () => {
  test('200 with the documented record', async ({ api }) => {
    const answer = await api('POST', '/products', body);
    expect(answer.body).toEqual({ product: record });
    expect(answer.status).toBe(200);
  });

  test('an add-on is one until it is changed, and the default product cannot be one', async ({
    api,
  }) => {
    const all = { headers: { prefer: 'include=all' } };
    const created = await api('POST', '/products', {
      ...body,
      product: { ...body.product, addOn: true },
    });
    const { id } = created.body.product;
    const isAddOn = async () => (await api('GET', `/products/${id}`, undefined, all)).body.addOn;
    expect(await isAddOn()).toBe(true);
    await api('PUT', `/products/${id}`, { product: { id, name: 'Storage' } });
    expect(await isAddOn()).toBe(true);
    await api('PUT', `/products/${id}`, { product: { id, addOn: false } });
    expect(await isAddOn()).toBe(false);
    const { data } = (await api('GET', '/products?limit=100')).body;
    const free = data.find((product: { default: boolean }) => product.default);
    const refused = { product: { id: free.id, addOn: true } };
    expect(await api('PUT', `/products/${free.id}`, refused)).toMatchObject({ status: 403 });
  });

  test('400 with one issue for each problem', async ({ api }) => {
    const answer = await api('POST', '/products', {
      product: { slug: 5 },
      price: { type: 'gift' },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'Invalid input data' },
    });
    const messages = answer.body.issues.map(({ message }: { message: string }) => message);
    expect(messages.toSorted()).toEqual([
      'price.type: must be one of single_payment, subscription, usage',
      'product.name: is required',
      'product.slug: String cannot represent a non string value: 5',
    ]);
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('POST', '/products', body, { key: null })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('POST', '/products', body, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  });
});

describe('GET /products/{id}', () => {
  test('200 with the product, its prices and its features, outside any wrapper', async ({
    api,
    session,
  }) => {
    const { id: featureId } = await aToggle(session, { slug: 'sso' });
    const { id } = await aProduct(session, { slug: 'pro', featureIds: [featureId] });
    const { status, body } = await api('GET', `/products/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...record,
      id,
      prices: [body.defaultPrice],
      defaultPrice: expect.objectContaining({ productId: id, isDefault: true, active: true }),
      features: [expect.objectContaining({ id: featureId, slug: 'sso' })],
    });
  });

  test('200 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const { id } = await aProduct(session);
    expect(await api('GET', `/products/${id}`, undefined, { key })).toMatchObject({ status: 200 });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('GET', '/products/prod_x', undefined, { key: null })).toMatchObject({
      status: 401,
    });
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aProduct(other.session);
    const answers = [await api('GET', '/products/prod_x'), await api('GET', `/products/${id}`)];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', issues: [] } });
    }
  });
});

describe('PUT /products/{id}', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aProduct(session, { name: 'Basic' });
    const answer = await api('PUT', `/products/${id}`, {
      product: { id, name: 'Pro', slug: 'pro' },
    });
    expect(answer.body).toEqual({ product: { ...record, id } });
    expect(answer.status).toBe(200);
  });

  test('null empties a text of a product, and leaves what always has a value', async ({
    api,
    session,
  }) => {
    const { id } = await aProduct(session, { name: 'Pro' });
    const put = async (product: object) =>
      (await api('PUT', `/products/${id}`, { product })).body.product;
    const texts = {
      description: 'Text',
      imageURL: 'https://example.com/a.png',
      singularQuantityLabel: 'seat',
      pluralQuantityLabel: 'seats',
    };
    expect(await put(texts)).toMatchObject(texts);
    expect(await put({ name: null, slug: null })).toMatchObject({ name: 'Pro', ...texts });
    const none = Object.fromEntries(Object.keys(texts).map((name) => [name, null]));
    expect(await put(none)).toMatchObject(none);
  });

  test('400 with the field named', async ({ api, session }) => {
    const { id } = await aProduct(session);
    expect(await api('PUT', `/products/${id}`, { product: { active: 'yes' } })).toMatchObject({
      status: 400,
      body: {
        issues: [{ message: 'product.active: must be true or false' }],
      },
    });
  });

  test('401 without a key', async ({ api }) => {
    expect(await api('PUT', '/products/prod_x', {}, { key: null })).toMatchObject({ status: 401 });
  });

  test('403 with a publishable key, and nothing changes', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const { id } = await aProduct(session, { name: 'Basic' });
    const answer = await api('PUT', `/products/${id}`, { product: { name: 'Pro' } }, { key });
    expect(answer).toMatchObject({ status: 403 });
    expect((await api('GET', `/products/${id}`)).body.name).toBe('Basic');
  });

  test('404 for an id that does not exist, and for one of another organization', async ({
    api,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aProduct(other.session);
    for (const path of ['/products/prod_x', `/products/${id}`]) {
      expect(await api('PUT', path, { product: { name: 'Mine' } })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', issues: [] },
      });
    }
  });
});

describe('GET /products', () => {
  test('200 with the envelope, oldest first, the free product among them', async ({
    api,
    session,
  }) => {
    const created = [];
    for (let n = 0; n < 3; n++) created.push((await aProduct(session)).id);
    const { status, body } = await api('GET', '/products');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'hasMore', 'total']);
    expect(body).toMatchObject({ hasMore: false, total: 4 });
    expect(Object.keys(body.data[0]).sort()).toEqual(Object.keys(record).sort());
    expect(body.data.map(({ default: free }: { default: boolean }) => free).sort()).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const times = body.data.map(({ createdAt }: { createdAt: number }) => createdAt);
    expect(times).toEqual(times.toSorted());
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(created));
  });

  test('has 10 rows a page unless told otherwise', async ({ api, session }) => {
    await Promise.all(Array.from({ length: 10 }, () => aProduct(session)));
    const { body } = await api('GET', '/products');
    expect(Object.keys(body)).toEqual(['data', 'hasMore', 'total', 'nextCursor']);
    expect(body).toMatchObject({ hasMore: true, total: 11, data: { length: 10 } });
  });

  test('gives every row exactly once when all pages are walked', async ({ api, session }) => {
    await Promise.all(Array.from({ length: 7 }, () => aProduct(session)));
    const whole = await api('GET', '/products?limit=100');
    for (const limit of [1, 3, 4, 8]) {
      const rows = [];
      let query = `limit=${limit}`;
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { body } = await api('GET', `/products?${query}`);
        expect(body.currentCursor).toBe(cursor || undefined);
        expect(body).toMatchObject({ total: 8, hasMore: 'nextCursor' in body });
        rows.push(...body.data);
        cursor = body.nextCursor;
        query = `limit=${limit}&cursor=${cursor}`;
      }
      expect(rows).toEqual(whole.body.data);
    }
  });

  test('has no row of another organization', async ({ api, database }) => {
    const other = await aTenant(database.orm.em);
    const { id } = await aProduct(other.session);
    const { body } = await api('GET', '/products');
    expect(body.total).toBe(1);
    expect(body.data).not.toContainEqual(expect.objectContaining({ id }));
  });

  test.for([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=ten',
    'limit=1.5',
    'limit=1&limit=2',
    'cursor=nonsense',
  ])('400 for %s', async (query, { api }) => {
    const { status, body } = await api('GET', `/products?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    expect(body.issues[0].message).toMatch(query.startsWith('limit') ? /^limit: / : /^cursor: /);
  });

  test('400 for the cursor of another list', async ({ api, session }) => {
    await aProduct(session);
    const { nextCursor } = (await api('GET', '/prices?limit=1')).body;
    expect(nextCursor).toEqual(expect.any(String));
    expect(await api('GET', `/products?cursor=${nextCursor}`)).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringMatching(/^cursor: /) }] },
    });
  });

  test('200 with a publishable key; 401 without any', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('GET', '/products', undefined, { key })).toMatchObject({ status: 200 });
    expect(await api('GET', '/products', undefined, { key: null })).toMatchObject({ status: 401 });
  });
});
