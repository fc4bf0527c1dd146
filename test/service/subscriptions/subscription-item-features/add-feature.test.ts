import { describe, expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { updateFeature } from '#domain/catalog/commands/features/update-feature.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { expireSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/expire-subscription-item-feature.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import {
  aCreditGrant,
  aPricingModel,
  aResource,
  aSubscription,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at } from '../../../support/time.ts';

const add = (session: Session, id: string, featureId: string) =>
  addFeatureToSubscription(fresh(session), { id, featureId });

const aCapacity = async (session: Session) =>
  createFeature(fresh(session), {
    feature: {
      type: 'resource',
      name: 'Seats',
      description: 'Seats',
      slug: 'seats',
      amount: 5,
      resourceId: (await aResource(session)).id,
    },
  });

const manualItems = (session: Session, subscription: string) =>
  fresh(session).em.find(SubscriptionItem, { subscription, manuallyCreated: true });

describe('adding a feature to a subscription', () => {
  test('puts it on the one item for what was added by hand, which costs nothing', async ({
    session,
  }) => {
    const { id } = await aSubscription(session);
    const [one, two] = [await aToggle(session), await aToggle(session)];
    await Promise.all([one, two, one, two].map((feature) => add(session, id, feature.id)));
    const [item, ...more] = await manualItems(session, id);
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      name: 'Manual Features',
      priceId: null,
      unitPrice: 0,
      quantity: 0,
      manuallyCreated: true,
    });
    const features = (await item?.features.loadItems()) ?? [];
    expect(features.map(({ featureId }) => featureId).sort()).toEqual([one.id, two.id].sort());
    expect(features).toMatchObject([{ manuallyCreated: true }, { manuallyCreated: true }]);
  });

  test('leaves a toggle that is there as it is', async ({ session }) => {
    const { id } = await aSubscription(session);
    const feature = await aToggle(session);
    const first = await add(session, id, feature.id);
    expect(await add(session, id, feature.id)).toMatchObject({ id: first.id, version: 1 });
  });

  test('adds credits up, also when they are added at once', async ({ session }) => {
    const { id } = await aSubscription(session);
    const feature = await aCreditGrant(session, (await aUsageMeter(session)).id);
    const answers = await Promise.all([1, 2, 3].map(() => add(session, id, feature.id)));
    expect(answers.map(({ amount }) => amount).sort()).toEqual([100, 200, 300]);
    expect(await add(session, id, feature.id)).toMatchObject({ amount: 400 });
  });

  test('does not add up more credits than can be counted', async ({ session }) => {
    const { id } = await aSubscription(session);
    const feature = await aCreditGrant(session, (await aUsageMeter(session)).id);
    const changes = { amount: Number.MAX_SAFE_INTEGER };
    await updateFeature(fresh(session), { id: feature.id, feature: changes });
    expect(await add(session, id, feature.id)).toMatchObject(changes);
    await expect(add(session, id, feature.id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('adds capacity once', async ({ session }) => {
    const { id } = await aSubscription(session);
    const feature = await aCapacity(session);
    expect(await add(session, id, feature.id)).toMatchObject({ amount: 5 });
    await expect(add(session, id, feature.id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('brings back what has expired by the customer’s clock, with its first amount', async ({
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const { id } = await aSubscription(session, { customerId: clocked.customer.id });
    const feature = await aCreditGrant(session, (await aUsageMeter(session)).id);
    await add(session, id, feature.id);
    const granted = await add(session, id, feature.id);
    const expiredAt = at('2026-02-10');
    await expireSubscriptionItemFeature(fresh(session), { id: granted.id, expiredAt });
    expect(await add(session, id, feature.id)).toMatchObject({ expiredAt, amount: 300 });
    await advance(session, clocked, expiredAt);
    expect(await add(session, id, feature.id)).toMatchObject({ expiredAt: null, amount: 100 });
  });

  test('is refused for a subscription that has ended, and nothing is written', async ({
    session,
  }) => {
    const { id } = await aSubscription(session);
    const feature = await aToggle(session);
    const cancellation = { timing: 'immediately' } as const;
    await cancelSubscription(fresh(session), { id, cancellation });
    await expect(add(session, id, feature.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await manualItems(session, id)).toEqual([]);
  });

  test('is refused for an inactive feature and one of another pricing model', async ({
    session,
  }) => {
    const { id } = await aSubscription(session);
    const inactive = await aToggle(session, { active: false });
    const foreign = await aToggle(await aPricingModel(session));
    for (const [featureId, message] of [
      [inactive.id, /is not active/],
      [foreign.id, /Unknown feature/],
    ] as const) {
      await expect(add(session, id, featureId)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        issues: [{ path: ['featureId'], message: expect.stringMatching(message) }],
      });
    }
    expect(await manualItems(session, id)).toEqual([]);
  });
});
