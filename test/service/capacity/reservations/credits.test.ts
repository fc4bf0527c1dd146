import { describe, expect } from 'vitest';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { aResource, fresh } from '../../../support/factories.ts';
import { type Answer, test as base } from '../../../support/test.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

/** A subscription with five seats and a hundred credits a month. */
const test = base.extend('user', async ({ session }) => {
  const user = await aMeteredSubscription(session, { credits: 100 });
  const resource = await aResource(session, { slug: `${user.slug}-seats` });
  const feature = await createFeature(fresh(session), {
    feature: {
      type: 'resource',
      name: 'Seats',
      description: 'Five',
      slug: `${user.slug}-five`,
      amount: 5,
      resourceId: resource.id,
    },
  });
  await addFeatureToSubscription(fresh(session), { id: user.id, featureId: feature.id });
  return { ...user, seats: resource.slug };
});

describe('a reservation of credits', () => {
  const reserve = (
    api: Api,
    user: { id: string; seats: string; slug: string },
    usageAmount: number,
    ttlSeconds = 600,
  ) =>
    api('POST', '/reservations', {
      subscriptionId: user.id,
      resourceSlug: user.seats,
      quantity: 1,
      usageMeterSlug: user.slug,
      usageAmount,
      ttlSeconds,
    });

  test('reserves them for one client, and becomes a usage event when it is confirmed', async ({
    api,
    graphql,
    user,
  }) => {
    const reserved = await reserve(api, user, 60);
    expect(reserved.body.reservation).toMatchObject({ usageAmount: 60, status: 'held' });
    expect(await balanceOf(graphql, user.id)).toEqual({ available: 40, held: 60, used: 0 });
    expect(await reserve(api, user, 41)).toMatchObject({ status: 400 });

    const { id } = reserved.body.reservation;
    const confirmed = await api('POST', `/reservations/${id}/confirm`, { usageAmount: 25.5 });
    expect(confirmed.body).toMatchObject({
      reservation: { status: 'confirmed', usageEventId: expect.stringMatching(/^usage_event_/) },
      claims: [{}],
    });
    expect(await balanceOf(graphql, user.id)).toEqual({ available: 74.5, held: 0, used: 25.5 });
    await api('POST', `/reservations/${id}/confirm`, {});
    expect(await balanceOf(graphql, user.id)).toEqual({ available: 74.5, held: 0, used: 25.5 });
  });

  test('gives them back when it is released, also to what was used meanwhile without any', async ({
    api,
    graphql,
    user,
  }) => {
    const { reservation } = (await reserve(api, user, 60)).body;
    const usageEvent = {
      subscriptionId: user.id,
      usageMeterSlug: user.slug,
      transactionId: 'meanwhile',
      amount: 70,
    };
    await api('POST', '/usage-events', { usageEvent });
    expect(await balanceOf(graphql, user.id)).toEqual({ available: -30, held: 60, used: 70 });
    await api('POST', `/reservations/${reservation.id}/release`, {});
    expect(await balanceOf(graphql, user.id)).toEqual({ available: 30, held: 0, used: 70 });
  });
});

type Api = (method: string, path: string, body?: unknown) => Promise<Answer>;

async function balanceOf(
  graphql: (query: string, variables: Record<string, unknown>) => Promise<Answer['body']>,
  id: string,
) {
  const { data } = await graphql(
    'query($id: ID!) { subscription(id: $id) { usageMeterBalances { available held used } } }',
    { id },
  );
  return data.subscription.usageMeterBalances[0];
}
