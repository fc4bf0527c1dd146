import { describe, expect } from 'vitest';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import {
  aCreditGrant,
  aProduct,
  aProductFeature,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { statementsOf } from '../../../support/tables/statements.ts';
import { test } from '../../../support/test.ts';

const issues = (...messages: string[]) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: messages.map((message) => ({ message })) },
});

describe('updating a feature', () => {
  test('leaves everything that is absent or null as it is', async ({ api, session }) => {
    const { id } = await aToggle(session);
    const before = (await api('GET', `/features/${id}`)).body;
    for (const feature of [{}, { name: null, active: null, amount: null }, { type: 'toggle' }]) {
      expect((await api('PUT', `/features/${id}`, { feature })).status).toBe(200);
      expect((await api('GET', `/features/${id}`)).body).toEqual(before);
    }
  });

  test('changes what is given, the usage meter too', async ({ api, session }) => {
    const [one, two] = [await aUsageMeter(session), await aUsageMeter(session)];
    const { id } = await aCreditGrant(session, one.id);
    const feature = {
      amount: 7,
      renewalFrequency: 'once',
      usageMeterId: two.id,
      name: 'More',
      slug: 'more',
    };
    const answer = await api('PUT', `/features/${id}`, { feature });
    expect(answer).toMatchObject({ status: 200, body: { feature } });
    expect((await api('GET', `/features/${id}`)).body.feature).toMatchObject(feature);
  });

  test('keeps its type', async ({ api, session }) => {
    const { id } = await aToggle(session);
    expect(await api('PUT', `/features/${id}`, { feature: { type: 'resource' } })).toMatchObject(
      issues(`feature.type: cannot change: ${id} is a toggle feature`),
    );
  });

  test('refuses fields of another type, each by name', async ({ api, session }) => {
    const { id } = await aToggle(session);
    const feature = { amount: 1, renewalFrequency: 'once' };
    expect(await api('PUT', `/features/${id}`, { feature })).toMatchObject(
      issues(
        'feature.amount: is not allowed for a toggle feature',
        'feature.renewalFrequency: is not allowed for a toggle feature',
      ),
    );
  });

  test('refuses an unknown usage meter, a taken slug and the id of another', async ({
    api,
    session,
  }) => {
    const meter = await aUsageMeter(session);
    const { id } = await aCreditGrant(session, meter.id);
    const other = await aToggle(session, { slug: 'taken' });
    const put = (feature: object) => api('PUT', `/features/${id}`, { feature });
    expect(await put({ usageMeterId: 'usage_meter_x' })).toMatchObject(
      issues('feature.usageMeterId: Unknown usage meter usage_meter_x'),
    );
    expect(await put({ slug: 'taken' })).toMatchObject(
      issues('feature.slug: is the slug of another feature of this pricing model'),
    );
    expect(await put({ id: other.id })).toMatchObject(
      issues('feature.id: differs from the id in the path'),
    );
  });
});

describe('deactivating a feature', () => {
  test('ends it on every product', async ({ api, session }) => {
    const { id } = await aToggle(session);
    const products = [
      await aProduct(session, { featureIds: [id] }),
      await aProduct(session, { featureIds: [id] }),
    ];
    const { body } = await api('PUT', `/features/${id}`, { feature: { active: false } });
    expect(body.feature.active).toBe(false);
    for (const product of products) {
      expect((await api('GET', `/products/${product.id}`)).body.features).toEqual([]);
    }
    for (const { expiredAt } of (await api('GET', '/product-features')).body.data) {
      expect(expiredAt).toBe(body.feature.updatedAt);
    }
  });

  test('leaves the other features of the product alone', async ({ api, session }) => {
    const [one, two] = [await aToggle(session), await aToggle(session)];
    const product = await aProduct(session, { featureIds: [one.id, two.id] });
    await api('PUT', `/features/${one.id}`, { feature: { active: false } });
    const { features } = (await api('GET', `/products/${product.id}`)).body;
    expect(features).toEqual([expect.objectContaining({ id: two.id })]);
  });

  test('twice keeps the first end', async ({ api, session }) => {
    const { id } = await aToggle(session);
    await aProduct(session, { featureIds: [id] });
    await api('PUT', `/features/${id}`, { feature: { active: false } });
    const before = (await api('GET', '/product-features')).body;
    await api('PUT', `/features/${id}`, { feature: { active: false } });
    expect((await api('GET', '/product-features')).body).toEqual(before);
  });
});

describe('activating a feature again', () => {
  test('brings it back where the deactivation ended it, and nowhere else', async ({
    api,
    session,
  }) => {
    const { id } = await aToggle(session);
    const keeps = await aProduct(session, { featureIds: [id] });
    const dropped = await aProduct(session, { featureIds: [id] });
    await api('PUT', `/products/${dropped.id}`, { featureIds: [] });
    await api('PUT', `/features/${id}`, { feature: { active: false } });
    const { body } = await api('PUT', `/features/${id}`, { feature: { active: true } });
    expect(body.feature.active).toBe(true);
    expect((await api('GET', `/products/${keeps.id}`)).body.features).toEqual([
      expect.objectContaining({ id }),
    ]);
    expect((await api('GET', `/products/${dropped.id}`)).body.features).toEqual([]);
  });

  test('does so any number of times', async ({ api, session }) => {
    const { id } = await aToggle(session);
    const product = await aProduct(session, { featureIds: [id] });
    for (const active of [false, true, false, true]) {
      await api('PUT', `/features/${id}`, { feature: { active } });
      expect((await api('GET', `/products/${product.id}`)).body.features).toHaveLength(
        active ? 1 : 0,
      );
    }
  });

  test('lets a feature that was created inactive be granted', async ({ api, session }) => {
    const { id } = await aToggle(session, { active: false });
    const product = await aProduct(session);
    await expect(aProductFeature(session, product.id, id)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await api('PUT', `/features/${id}`, { feature: { active: true } });
    await expect(aProductFeature(session, product.id, id)).resolves.toMatchObject({
      expiredAt: null,
    });
  });
});

/** Copies of a product that grant a feature. */
async function grantByMany({ em }: Session, productId: string, featureId: string, count: number) {
  await em.execute(
    `insert into product (id, created_at, updated_at, livemode, organization_id, pricing_model_id, name, slug)
     select 'prod_many_' || n, now(), now(), livemode, organization_id, pricing_model_id, name, 'many-' || n
     from product, generate_series(1, ?) n where id = ?`,
    [count, productId],
  );
  await em.execute(
    `insert into product_feature (id, created_at, updated_at, livemode, organization_id, pricing_model_id, product_id, feature_id)
     select 'product_feature_many_' || id, now(), now(), livemode, organization_id, pricing_model_id, id, ?
     from product where id like 'prod_many_%'`,
    [featureId],
  );
}

test('thousands of grants end and return in bounded batches, each with its event', async ({
  session,
}) => {
  const { id } = await aToggle(session);
  const product = await aProduct(session);
  await grantByMany(session, product.id, id, 2_300);
  const reads = /^select .* from "product_feature"/;
  for (const active of [false, true]) {
    const sent = await statementsOf(() =>
      updateFeature(fresh(session), { id, feature: { active } }),
    );
    const found = sent.filter((text) => reads.test(text));
    expect(found).toHaveLength(5);
    expect(found.filter((text) => !/limit (500|\?|\$\d+)/.test(text))).toEqual([]);
    const { em } = fresh(session);
    const expiredAt = active ? null : { $ne: null };
    expect(await em.count(ProductFeature, { feature: id, expiredAt })).toBe(2_300);
    const events = await em.execute<[{ count: number }]>(
      `select count(*)::int from event where type = 'product_feature.updated' and pricing_model_id = ?`,
      [session.pricingModelId],
    );
    expect(events).toEqual([{ count: active ? 4_600 : 2_300 }]);
  }
});
