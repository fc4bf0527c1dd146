import { describe, expect } from 'vitest';
import { aProduct, aToggle } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { fresh } from '../../../support/timeline.ts';

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

describe('updating a product', () => {
  test('leaves everything that is absent or null as it is', async ({ api, session }) => {
    const { id: featureId } = await aToggle(session);
    const { id } = await aProduct(session, { featureIds: [featureId] });
    const before = (await api('GET', `/products/${id}`)).body;
    const nothing = [
      {},
      { product: {}, price: {}, featureIds: null },
      { product: null, price: null },
      { product: { name: null, slug: null, active: null }, price: { unitPrice: null, name: null } },
    ];
    for (const body of nothing) {
      expect((await api('PUT', `/products/${id}`, body)).status).toBe(200);
      expect((await api('GET', `/products/${id}`)).body).toEqual(before);
    }
  });

  test('changes each field, and empties a text with an empty one', async ({ api, session }) => {
    const { id } = await aProduct(session);
    const product = {
      name: 'Max',
      slug: 'max',
      description: 'All of it',
      imageURL: 'https://example.com/max.png',
      active: false,
      singularQuantityLabel: 'seat',
      pluralQuantityLabel: 'seats',
    };
    expect((await api('PUT', `/products/${id}`, { product })).body.product).toMatchObject(product);
    const emptied = { description: '', imageURL: '', singularQuantityLabel: '' };
    const answer = await api('PUT', `/products/${id}`, { product: emptied });
    expect(answer.body.product).toMatchObject({ ...product, ...emptied });
  });

  test('moves updatedAt, not createdAt', async ({ api, session }) => {
    const earlier = new Date(session.now.getTime() - 60_000);
    const { id, createdAt } = await aProduct(fresh(session, earlier));
    const { body } = await api('PUT', `/products/${id}`, { product: { name: 'Max' } });
    expect(body.product.createdAt).toBe(createdAt.getTime());
    expect(body.product.updatedAt).toBeGreaterThan(createdAt.getTime());
  });

  test('goes by the id in the path: another one in the body is refused', async ({
    api,
    session,
  }) => {
    const [one, two] = [
      await aProduct(session, { name: 'One' }),
      await aProduct(session, { name: 'Two' }),
    ];
    expect(
      await api('PUT', `/products/${one.id}`, { product: { id: two.id, name: 'X' } }),
    ).toMatchObject(issues('product.id: differs from the id in the path'));
    expect((await api('GET', `/products/${one.id}`)).body.name).toBe('One');
    expect((await api('GET', `/products/${two.id}`)).body.name).toBe('Two');
  });

  test('refuses the slug of another product and keeps the old one', async ({ api, session }) => {
    await aProduct(session, { slug: 'taken' });
    const { id } = await aProduct(session, { slug: 'mine' });
    expect(await api('PUT', `/products/${id}`, { product: { slug: 'taken' } })).toMatchObject(
      issues('product.slug: is the slug of another product of this pricing model'),
    );
    expect((await api('PUT', `/products/${id}`, { product: { slug: 'mine' } })).status).toBe(200);
  });

  test('takes the product, the price and the features together or not at all', async ({
    api,
    session,
  }) => {
    const { id: featureId } = await aToggle(session);
    const { id } = await aProduct(session);
    const before = (await api('GET', `/products/${id}`)).body;
    const change = { product: { name: 'Max', slug: 'max' }, price: { unitPrice: 7 } };
    const answer = await api('PUT', `/products/${id}`, {
      ...change,
      featureIds: [featureId, 'feature_x'],
    });
    expect(answer).toMatchObject(issues('featureIds.1: Unknown feature feature_x'));
    expect((await api('GET', `/products/${id}`)).body).toEqual(before);
  });

  test('cannot make a product the default', async ({ api, session }) => {
    const { id } = await aProduct(session);
    expect(await api('PUT', `/products/${id}`, { product: { default: true } })).toMatchObject({
      status: 403,
    });
    expect(await api('PUT', `/products/${id}`, { product: { default: false } })).toMatchObject({
      status: 200,
    });
  });
});

describe('the list of features', () => {
  test('is the whole: what it lacks expires, what it has is added', async ({ api, session }) => {
    const [one, two, three] = [
      await aToggle(session),
      await aToggle(session),
      await aToggle(session),
    ];
    const { id } = await aProduct(session, { featureIds: [one.id, two.id] });
    await api('PUT', `/products/${id}`, { featureIds: [two.id, three.id] });
    const { features } = (await api('GET', `/products/${id}`)).body;
    expect(features.map(({ id }: { id: string }) => id).sort()).toEqual([two.id, three.id].sort());
  });

  test('ends all of them when it is empty, and brings the same ones back', async ({
    api,
    session,
  }) => {
    const { id: featureId } = await aToggle(session);
    const { id } = await aProduct(session, { featureIds: [featureId] });
    const [granted] = (await api('GET', '/product-features')).body.data;

    await api('PUT', `/products/${id}`, { featureIds: [] });
    expect((await api('GET', `/products/${id}`)).body.features).toEqual([]);
    const [ended] = (await api('GET', '/product-features')).body.data;
    expect(ended).toMatchObject({ id: granted.id, expiredAt: expect.any(Number) });

    await api('PUT', `/products/${id}`, { featureIds: [featureId] });
    const { data, total } = (await api('GET', '/product-features')).body;
    expect({ total, data }).toEqual({
      total: 1,
      data: [{ ...granted, updatedAt: expect.any(Number) }],
    });
  });

  test('leaves an earlier end at its instant', async ({ api, session }) => {
    const { id: featureId } = await aToggle(session);
    const { id } = await aProduct(session, { featureIds: [featureId] });
    await api('PUT', `/products/${id}`, { featureIds: [] });
    const before = (await api('GET', '/product-features')).body.data;
    await api('PUT', `/products/${id}`, { featureIds: [] });
    expect((await api('GET', '/product-features')).body.data).toEqual(before);
  });

  test('names every feature that cannot be granted, with the reason', async ({
    api,
    session,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const [foreign, retired, good] = [
      await aToggle(other.session),
      await aToggle(session, { active: false }),
      await aToggle(session),
    ];
    const { id } = await aProduct(session);
    const featureIds = [good.id, 'feature_x', foreign.id, retired.id];
    expect(await api('PUT', `/products/${id}`, { featureIds })).toMatchObject(
      issues(
        'featureIds.1: Unknown feature feature_x',
        `featureIds.2: Unknown feature ${foreign.id}`,
        `featureIds.3: ${retired.id} is not active`,
      ),
    );
  });
});

describe('the default product', () => {
  test('changes its looks', async ({ api }) => {
    const [{ id }] = (await api('GET', '/products')).body.data;
    const product = {
      name: 'Start',
      description: 'For all',
      imageURL: 'https://example.com/s.png',
    };
    expect(await api('PUT', `/products/${id}`, { product })).toMatchObject({
      status: 200,
      body: { product },
    });
  });

  test.for([
    { product: { slug: 'other' } },
    { product: { default: false } },
    { product: { singularQuantityLabel: 'seat' } },
    { product: { pluralQuantityLabel: 'seats' } },
    { price: { unitPrice: 5 } },
    { price: { slug: 'other' } },
  ])('refuses %j', async (body, { api }) => {
    const [{ id }] = (await api('GET', '/products')).body.data;
    const before = (await api('GET', `/products/${id}`)).body;
    expect(await api('PUT', `/products/${id}`, body)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
    expect((await api('GET', `/products/${id}`)).body).toEqual(before);
  });

  test('takes its own values again, and stays active whatever is asked', async ({ api }) => {
    const [{ id }] = (await api('GET', '/products')).body.data;
    const { defaultPrice, name, slug } = (await api('GET', `/products/${id}`)).body;
    const answer = await api('PUT', `/products/${id}`, {
      product: { id, name, slug, default: true, active: false },
      price: { type: defaultPrice.type, unitPrice: 0, slug: defaultPrice.slug, isDefault: true },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { product: { active: true, default: true } },
    });
  });

  test('grants the features that it is given', async ({ api, session }) => {
    const [{ id }] = (await api('GET', '/products')).body.data;
    const { id: featureId } = await aToggle(session);
    expect((await api('PUT', `/products/${id}`, { featureIds: [featureId] })).status).toBe(200);
    const { features } = (await api('GET', `/products/${id}`)).body;
    expect(features).toEqual([expect.objectContaining({ id: featureId })]);
  });
});
