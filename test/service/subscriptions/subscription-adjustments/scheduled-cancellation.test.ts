import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { aToggle } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  at,
  eventsOf,
  fresh,
  storyOf,
  subscriptionOf,
  subscriptionsOf,
  told,
} from '../../../support/timeline.ts';

const scheduleCancellation = (session: Session, id: string) =>
  cancelSubscription(fresh(session), {
    id,
    cancellation: { timing: 'at_end_of_current_billing_period' },
  });

test('until its period ends nothing is taken away', async ({ session }) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  await scheduleCancellation(session, id);
  await advance(session, clockId, '2026-02-28T09:59:59.999Z');
  expect(await subscriptionOf(session, id)).toMatchObject({
    status: 'cancellation_scheduled',
    current: true,
    canceledAt: null,
    cancelScheduledAt: at('2026-02-28'),
  });
  expect(await storyOf(session, id)).toEqual(['2026-01-31 2026-02-28 active']);
});

test('then all of it ends at that instant: period, items and features', async ({ session }) => {
  const { id: toggle } = await aToggle(session);
  const input = { paid: true, featureIds: [toggle] };
  const { clockId, id } = await aTimedSubscription(session, input);
  await scheduleCancellation(session, id);
  await advance(session, clockId, '2026-07-01');
  expect(await subscriptionOf(session, id)).toMatchObject({
    status: 'canceled',
    canceledAt: at('2026-02-28'),
    cancelScheduledAt: at('2026-02-28'),
    cancellationReason: null,
    transitionDueAt: null,
  });
  expect(await storyOf(session, id)).toEqual(['2026-01-31 2026-02-28 completed']);
  const { em } = fresh(session);
  const items = await em.find(SubscriptionItem, { subscription: id });
  const features = await em.find(SubscriptionItemFeature, { subscriptionId: id });
  expect([items.length, features.length]).toEqual([1, 1]);
  for (const { expiredAt } of [...items, ...features]) expect(told(expiredAt)).toBe('2026-02-28');
});

test('and the customer is on the free plan from that instant on, told once', async ({
  session,
}) => {
  const { clockId, customerId, id } = await aTimedSubscription(session, { paid: true });
  await scheduleCancellation(session, id);
  await advance(session, clockId, '2026-04-01');
  const [first, paid, free, ...more] = await subscriptionsOf(session, customerId);
  expect(more).toEqual([]);
  expect([first, paid, free]).toMatchObject([
    { isFreePlan: true, status: 'canceled', replacedBySubscriptionId: id },
    { id, status: 'canceled' },
    { isFreePlan: true, status: 'active', startDate: at('2026-02-28') },
  ]);
  // The free plan counts its own days.
  expect(await storyOf(session, free?.id ?? '')).toEqual([
    '2026-02-28 2026-03-28 completed',
    '2026-03-28 2026-04-28 active',
  ]);
  const events = await eventsOf(session, id);
  expect(events.map(({ type, occurredAt }) => `${type} ${told(occurredAt)}`)).toEqual([
    'subscription.created 2026-01-31',
    'subscription.updated 2026-01-31',
    'subscription.canceled 2026-02-28',
  ]);
});

test('a period in which nothing is owed ends as completed', async ({ session }) => {
  const { clockId, id } = await aTimedSubscription(session, { doNotCharge: true });
  await scheduleCancellation(session, id);
  await advance(session, clockId, '2026-02-28');
  expect(await storyOf(session, id)).toEqual(['2026-01-31 2026-02-28 completed']);
});

test('one that is reverted continues as if it had never been', async ({ session }) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  await scheduleCancellation(session, id);
  await advance(session, clockId, '2026-02-15');
  await uncancelSubscription(fresh(session), { id });
  await advance(session, clockId, '2026-02-28');
  expect(await subscriptionOf(session, id)).toMatchObject({
    status: 'active',
    cancelScheduledAt: null,
  });
  expect(await storyOf(session, id)).toHaveLength(2);
});

test('one that lies within the next period takes effect at its own instant', async ({
  session,
}) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  await scheduleCancellation(session, id);
  const cancelScheduledAt = at('2026-02-28T10:00:50.000Z');
  await fresh(session).em.nativeUpdate(Subscription, { id }, { cancelScheduledAt });
  await advance(session, clockId, '2026-02-28');
  expect((await subscriptionOf(session, id)).status).toBe('cancellation_scheduled');
  await advance(session, clockId, '2026-03-01');
  expect(await subscriptionOf(session, id)).toMatchObject({
    status: 'canceled',
    canceledAt: cancelScheduledAt,
  });
  expect(await storyOf(session, id)).toEqual([
    '2026-01-31 2026-02-28 completed',
    '2026-02-28 2026-02-28T10:00:50.000Z completed',
  ]);
});
