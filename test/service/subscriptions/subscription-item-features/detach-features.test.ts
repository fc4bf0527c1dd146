// @module-tag long
import { describe, expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import { expireProductFeature } from '#domain/catalog/commands/product-features/expire-product-feature.ts';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { updateProduct } from '#domain/catalog/commands/products/update-product.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import {
  aCustomer,
  aProduct,
  aResource,
  aSubscription,
  aToggle,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { eventsOf } from '../../../support/time.ts';

/** A customer with what a product grants: a feature and another one. */
async function aGrant(session: Session) {
  const [feature, other] = [await aToggle(session), await aToggle(session)];
  const product = await aProduct(session, { featureIds: [feature.id, other.id] });
  const customer = await aCustomer(session);
  const { id } = await aSubscription(session, {
    customerId: customer.id,
    priceId: (await product.prices.loadItems())[0]?.id,
    doNotCharge: true,
  });
  const wanted = { subscriptionId: id, feature: feature.id };
  const read = () => fresh(session).em.findOneOrFail(SubscriptionItemFeature, wanted);
  return { customer, feature, other, product, granted: await read(), read };
}

type Grant = Awaited<ReturnType<typeof aGrant>>;

const ways: [string, (session: Session, grant: Grant) => Promise<unknown>][] = [
  [
    'the feature is deactivated',
    (session, { feature }) =>
      updateFeature(fresh(session), { id: feature.id, feature: { active: false } }),
  ],
  [
    'the product feature expires',
    (session, { granted }) =>
      expireProductFeature(fresh(session), { id: granted.productFeatureId ?? '' }),
  ],
  [
    'the product is asked to grant other features',
    (session, { product, other }) =>
      updateProduct(fresh(session), { id: product.id, featureIds: [other.id] }),
  ],
];

describe.for(ways)('when %s', ([_, end]) => {
  test('subscriptions keep it until their item ends, parted from the product', async ({
    session,
    graphql,
  }) => {
    const grant = await aGrant(session);
    await end(session, grant);
    expect(await grant.read()).toMatchObject({
      productFeatureId: null,
      detachedAt: session.now,
      detachedReason: 'product_feature_expired',
      expiredAt: null,
    });
    const { data } = await graphql(
      'query($id: ID!, $slug: String!) { customer(id: $id) { hasFeature(slug: $slug) } }',
      { id: grant.customer.id, slug: grant.feature.slug },
    );
    expect(data).toEqual({ customer: { hasFeature: true } });
  });

  test('it is reported once, with what it was, and the other features stay', async ({
    session,
  }) => {
    const grant = await aGrant(session);
    const before = await eventsOf(session, grant.customer);
    await end(session, grant);
    await end(session, grant);
    expect(await eventsOf(session, grant.customer, before)).toMatchObject([
      {
        type: 'subscription_item_feature.updated',
        objectId: grant.granted.id,
        previousAttributes: {
          productFeatureId: grant.granted.productFeatureId,
          detachedAt: null,
          detachedReason: null,
        },
      },
    ]);
  });

  test('a subscription that begins at the same time is parted, too, or never gets it', async ({
    session,
  }) => {
    const grant = await aGrant(session);
    const priceId = (await grant.product.prices.loadItems())[0]?.id;
    const customers = [];
    for (const _ of Array(12).keys()) customers.push(await aCustomer(session));
    const beginnings = customers.map(({ id }) =>
      createSubscription(fresh(session), { customerId: id, priceId, doNotCharge: true }),
    );
    // The first ones have begun, and the others are about to.
    await Promise.race(beginnings);
    await end(session, grant);
    await Promise.all(beginnings);
    const expired = { expiredAt: { $ne: null } };
    const attached = { productFeature: expired };
    const { em } = fresh(session);
    expect(await em.count(ProductFeature, expired)).toBe(1);
    expect(await em.count(SubscriptionItemFeature, attached)).toBe(0);
  });
});

test('of several grants of one resource the newest counts', async ({ session }) => {
  const { id: resourceId } = await aResource(session);
  const features = [];
  for (const amount of [5, 7]) {
    const feature = { type: 'resource', name: 'Seats', description: '', resourceId } as const;
    features.push(
      await createFeature(fresh(session), {
        feature: { ...feature, slug: `seats-${amount}`, amount },
      }),
    );
  }
  const product = await createProduct(fresh(session), {
    product: { name: 'Team', slug: 'team' },
    price: { type: 'subscription', unitPrice: 1, intervalUnit: 'month' },
    featureIds: features.map(({ id }) => id),
  });
  const priceId = (await product.prices.loadItems())[0]?.id;
  const { id } = await aSubscription(session, { priceId, quantity: 2 });
  const granted = await fresh(session).em.find(SubscriptionItemFeature, { subscriptionId: id });
  expect(granted).toHaveLength(1);
  expect([10, 14]).toContain(granted[0]?.amount);
});
