import { expect } from 'vitest';
import { expireProductFeature } from '#domain/catalog/commands/product-features/expire-product-feature.ts';
import { updateProduct } from '#domain/catalog/commands/products/update-product.ts';
import type { Session } from '#domain/kernel/session.ts';
import {
  aCreditGrant,
  aProduct,
  aProductFeature,
  aToggle,
  aUsageMeter,
  aUsagePrice,
  fresh,
} from '../../support/factories.ts';
import { aSeatFeature } from '../../support/seats.ts';
import { aKey } from '../../support/tenant.ts';
import { apiOf, test as base, graphqlOf } from '../../support/test.ts';

const test = base.extend('shop', async ({ gateway, session }) => {
  const key = await aKey(session, 'publishable');
  const api = apiOf(gateway, key);
  return {
    graphql: graphqlOf(gateway, key),
    ids: async (path: string) => {
      const { body } = await api('GET', path);
      const rows = body.data ?? body.resources;
      if (body.data) expect(body.total, path).toBe(rows.length);
      return rows.map(({ id }: { id: string }) => id);
    },
    status: async (path: string) => (await api('GET', path)).status,
  };
});

const deactivate = (session: Session, id: string) =>
  updateProduct(fresh(session), { id, product: { active: false } });

test('inactive products, their prices and what hangs on them do not exist for a publishable key', async ({
  session,
  shop,
  graphql,
}) => {
  const meter = await aUsageMeter(session);
  const credits = await aCreditGrant(session, meter.id);
  const { featureId, resourceId } = await aSeatFeature(session);
  const featureIds = [credits.id, featureId];
  const product = await aProduct(session, { featureIds });
  const [price] = await fresh(session).em.find('Price' as never, { product: product.id } as never);
  const { id: priceId } = price as unknown as { id: string };
  const paths = [
    `/products/${product.id}`,
    `/prices/${priceId}`,
    `/features/${credits.id}`,
    `/features/${featureId}`,
    `/usage-meters/${meter.id}`,
    `/resources/${resourceId}`,
  ];
  for (const path of paths) expect(await shop.status(path), path).toBe(200);

  await deactivate(session, product.id);
  for (const path of paths) {
    expect(await shop.status(path), path).toBe(404);
    expect(await shop.ids(path.replace(/\/[^/]+$/, ''))).not.toContain(path.split('/').at(-1));
  }
  expect(await shop.ids('/product-features')).toEqual([]);
  const hidden = [product.id, priceId, credits.id, featureId, meter.id, resourceId];
  const { data } = await shop.graphql(
    `{ ${hidden.map((id, n) => `n${n}: node(id: "${id}") { id }`).join(' ')} }`,
  );
  expect(Object.values(data)).toEqual(hidden.map(() => null));
  const found = await shop.graphql(
    '{ products(where: { active: false }) { totalCount nodes { id } } prices(where: { active: false }) { totalCount nodes { id } } defaultPricingModel { products { id } usageMeters { id } } }',
  );
  expect(found.data.products).toEqual({ totalCount: 0, nodes: [] });
  expect(found.data.prices).toEqual({ totalCount: 0, nodes: [] });
  expect(JSON.stringify(found)).not.toMatch(new RegExp(hidden.join('|')));
  const own = await graphql('{ products(where: { active: false }) { nodes { id } } }');
  expect(own.data.products.nodes).toEqual([{ id: product.id }]);
});

test('nested fields leave out retired prices, features that are not granted, and meters without a price', async ({
  session,
  shop,
}) => {
  const [kept, inactive, expired] = [
    await aToggle(session),
    await aToggle(session, { active: false }),
    await aToggle(session),
  ];
  const product = await aProduct(session, { featureIds: [kept.id] });
  const grant = await aProductFeature(session, product.id, expired.id);
  await expireProductFeature(fresh(session), { id: grant.id });
  const unused = await aToggle(session);
  const price = { type: 'subscription', unitPrice: 2_000, intervalUnit: 'month' } as const;
  await updateProduct(fresh(session), { id: product.id, product: {}, price });
  const { data } = await shop.graphql(
    `query($id: ID!) { product(id: $id) { prices { unitPrice active product { id } } features { id } } }`,
    { id: product.id },
  );
  expect(data.product).toEqual({
    prices: [{ unitPrice: 2_000, active: true, product: { id: product.id } }],
    features: [{ id: kept.id }],
  });
  const features = await shop.ids('/features');
  expect(features).toContain(kept.id);
  for (const { id } of [inactive, expired, unused]) expect(features).not.toContain(id);

  const free = await aUsageMeter(session);
  const sold = await aUsageMeter(session);
  await aUsagePrice(session, sold.id);
  expect(await shop.ids('/usage-meters')).toEqual([sold.id]);
  expect(await shop.status(`/usage-meters/${free.id}`)).toBe(404);
  const prices = await shop.ids('/prices');
  const { data: all } = await shop.graphql(
    `query($id: ID!) { usageMeter(id: $id) { prices { id unitPrice } } }`,
    { id: sold.id },
  );
  expect(all.usageMeter.prices.length).toBeGreaterThan(0);
  for (const { id } of all.usageMeter.prices) expect(prices).toContain(id);
});

test('nothing hidden can be watched', async ({ session, shop }) => {
  const product = await aProduct(session);
  await deactivate(session, product.id);
  const { errors } = await shop.graphql(
    'subscription($id: ID!) { productChanged(id: $id) { id } }',
    { id: product.id },
  );
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});
