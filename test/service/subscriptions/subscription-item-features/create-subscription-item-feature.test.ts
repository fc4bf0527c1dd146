import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { createSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/create-subscription-item-feature.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import {
  aCreditGrant,
  aPricingModel,
  aProduct,
  aProductFeature,
  aSubscription,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

type Input = Parameters<typeof createSubscriptionItemFeature>[1]['subscriptionItemFeature'];

const create = (session: Session, subscriptionItemFeature: Input) =>
  createSubscriptionItemFeature(fresh(session), { subscriptionItemFeature });

const issue = (path: string, message: RegExp) => ({
  code: 'BAD_REQUEST',
  issues: [{ path: ['subscriptionItemFeature', path], message: expect.stringMatching(message) }],
});

async function anItem(session: Session) {
  const product = await aProduct(session);
  const priceId = (await product.prices.loadItems())[0]?.id;
  const subscription = await aSubscription(session, { priceId });
  const [item] = await subscription.items.loadItems();
  return { product, subscription, subscriptionItemId: item?.id ?? '' };
}

describe('a feature for one subscription item', () => {
  test('may come by a product feature of the item’s product', async ({ session }) => {
    const { product, subscriptionItemId } = await anItem(session);
    const { id: featureId } = await aToggle(session);
    const { id: productFeatureId } = await aProductFeature(session, product.id, featureId);
    const input = { subscriptionItemId, featureId, type: 'toggle', productFeatureId } as const;
    expect(await create(session, input)).toMatchObject(input);
  });

  test('is refused by a product feature of another product or another feature', async ({
    session,
  }) => {
    const { product, subscriptionItemId } = await anItem(session);
    const [feature, other] = [await aToggle(session), await aToggle(session)];
    const foreign = await aProductFeature(session, (await aProduct(session)).id, feature.id);
    const differing = await aProductFeature(session, product.id, other.id);
    const input = { subscriptionItemId, featureId: feature.id, type: 'toggle' } as const;
    for (const [productFeatureId, message] of [
      [foreign.id, /is not the product of the item/],
      [differing.id, new RegExp(`grants ${other.id}, not ${feature.id}`)],
    ] as const) {
      await expect(create(session, { ...input, productFeatureId })).rejects.toMatchObject(
        issue('productFeatureId', message),
      );
    }
    expect(await fresh(session).em.count(SubscriptionItemFeature)).toBe(0);
  });

  test('is refused as another type, for another meter, inactive, and of another pricing model', async ({
    session,
  }) => {
    const { subscriptionItemId } = await anItem(session);
    const meter = await aUsageMeter(session);
    const other = await aUsageMeter(session);
    const credits = await aCreditGrant(session, meter.id);
    const inactive = await aToggle(session, { active: false });
    const foreign = await aToggle(await aPricingModel(session));
    const toggle = { subscriptionItemId, type: 'toggle' } as const;
    const grant = {
      ...toggle,
      featureId: credits.id,
      type: 'usage_credit_grant',
      amount: 1,
      renewalFrequency: 'once',
    } as const;
    for (const [input, refusal] of [
      [{ ...toggle, featureId: credits.id }, issue('type', /must be usage_credit_grant/)],
      [{ ...grant, usageMeterId: other.id }, issue('usageMeterId', new RegExp(meter.id))],
      [{ ...toggle, featureId: inactive.id }, issue('featureId', /is not active/)],
      [{ ...toggle, featureId: foreign.id }, issue('featureId', /Unknown feature/)],
    ] as const) {
      await expect(create(session, input)).rejects.toMatchObject(refusal);
    }
    expect(await fresh(session).em.count(SubscriptionItemFeature)).toBe(0);
  });

  test('is refused for an item that has ended', async ({ session }) => {
    const { subscription, subscriptionItemId } = await anItem(session);
    const { id: featureId } = await aToggle(session);
    const cancellation = { timing: 'immediately' } as const;
    await cancelSubscription(fresh(session), { id: subscription.id, cancellation });
    await expect(
      create(session, { subscriptionItemId, featureId, type: 'toggle' }),
    ).rejects.toMatchObject(issue('subscriptionItemId', /has ended/));
  });
});
