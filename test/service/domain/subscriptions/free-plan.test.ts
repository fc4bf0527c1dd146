import { describe, expect } from 'vitest';
import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { createSubscription } from '#domain/subscriptions/create-subscription.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import {
  aCustomer,
  allowSeveral,
  aProduct,
  aSubscription,
  aToggle,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at, eventsOf } from '../../../support/time.ts';

const subscriptionsOf = (session: Session, customer: { id: string }) =>
  fresh(session).em.find(
    Subscription,
    { customer: customer.id },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  );

const planOf = async (session: Session, customer: { id: string }) => {
  const [plan] = await subscriptionsOf(session, customer);
  if (!plan) throw new Error('The customer has no plan');
  return plan;
};

describe('a free plan that gives way to a paid subscription', () => {
  test('ends in full, with its reason and what took its place', async ({ api, session }) => {
    const clocked = await aClockedCustomer(session);
    const { customer } = clocked;
    const plan = await planOf(session, customer);
    const { id: featureId } = await aToggle(session);
    await api('POST', `/subscriptions/${plan.id}/add-feature`, { featureId });
    await advance(session, clocked, at('2026-02-10'));
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    expect(await planOf(session, customer)).toMatchObject({
      status: 'canceled',
      canceledAt: at('2026-02-10'),
      cancelScheduledAt: at('2026-02-10'),
      cancellationReason: 'upgraded_to_paid',
      replacedBySubscriptionId: id,
      transitionDueAt: null,
    });
    const { em } = fresh(session);
    const of = { subscription: plan.id };
    const ended = { expiredAt: at('2026-02-10') };
    expect(await em.find(SubscriptionItem, of)).toMatchObject([ended, ended]);
    const features = { subscriptionId: plan.id };
    expect(await em.find(SubscriptionItemFeature, features)).toMatchObject([ended]);
    expect(await em.find(BillingPeriod, of)).toMatchObject([
      { status: 'completed', startDate: at('2026-01-31'), endDate: at('2026-02-10') },
    ]);
  });

  test('is reported as an update with what was before, and never as a cancellation', async ({
    session,
  }) => {
    const { customer } = await aClockedCustomer(session);
    const plan = await planOf(session, customer);
    const before = await eventsOf(session, customer);
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    const events = await eventsOf(session, customer, before);
    const types = events.map(({ type }) => type);
    expect(types).not.toContain('subscription.canceled');
    expect(events.filter(({ objectId }) => objectId === plan.id)).toMatchObject([
      {
        type: 'subscription.updated',
        data: {
          status: 'canceled',
          cancellationReason: 'upgraded_to_paid',
          replacedBySubscriptionId: id,
        },
        previousAttributes: {
          status: 'active',
          canceledAt: null,
          cancelScheduledAt: null,
          cancellationReason: null,
          replacedBySubscriptionId: null,
        },
      },
    ]);
    expect(types.indexOf('subscription.updated')).toBeLessThan(
      types.indexOf('subscription.created'),
    );
  });

  test('gives way also where several subscriptions are allowed', async ({ session }) => {
    await allowSeveral(session);
    const customer = await aCustomer(session);
    for (const _ of [1, 2]) {
      await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    }
    const statuses = (await subscriptionsOf(session, customer)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['active', 'active', 'canceled']);
  });
});

describe('a second free plan', () => {
  test('is refused, also where several subscriptions are allowed', async ({ session }) => {
    const customer = await aCustomer(session);
    const another = () => aSubscription(session, { customerId: customer.id, unitPrice: 0 });
    const refusal = { code: 'CONFLICT', message: expect.stringMatching(/has a free subscription/) };
    await expect(another()).rejects.toMatchObject(refusal);
    await allowSeveral(session);
    await expect(another()).rejects.toMatchObject(refusal);
  });

  test('is had when the first one has ended', async ({ session }) => {
    await allowSeveral(session);
    const customer = await aCustomer(session);
    await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    const again = await aSubscription(session, { customerId: customer.id, unitPrice: 0 });
    expect(again).toMatchObject({ status: 'active', isFreePlan: true });
  });
});

describe('a free plan', () => {
  test('continues from period to period without a payment method', async ({ api, session }) => {
    const clocked = await aClockedCustomer(session);
    await advance(session, clocked, at('2026-04-15'));
    const plan = await planOf(session, clocked.customer);
    expect(plan).toMatchObject({
      status: 'active',
      currentBillingPeriodStart: at('2026-03-31'),
      currentBillingPeriodEnd: at('2026-04-30'),
    });
    const { data } = (await api('GET', `/billing-periods?subscriptionId=${plan.id}`)).body;
    expect(data.map(({ status }: { status: string }) => status)).toEqual([
      'completed',
      'completed',
      'active',
    ]);
  });
});

describe('several subscriptions of a customer', () => {
  test('are refused, until the organization allows them', async ({ session }) => {
    const { id: customerId } = await aCustomer(session);
    await aSubscription(session, { customerId, doNotCharge: true });
    const another = () => aSubscription(session, { customerId, doNotCharge: true });
    await expect(another()).rejects.toMatchObject({ code: 'CONFLICT' });
    await allowSeveral(session);
    expect((await another()).status).toBe('active');
  });

  test('8 that are asked for in parallel: one wins, and nothing is left of the others', async ({
    session,
  }) => {
    const customer = await aCustomer(session);
    const product = await aProduct(session, { featureIds: [(await aToggle(session)).id] });
    const priceId = (await product.prices.loadItems())[0]?.id;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        createSubscription(fresh(session), { customerId: customer.id, priceId, doNotCharge: true }),
      ),
    );
    const [won, ...more] = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(more).toEqual([]);
    for (const outcome of outcomes) {
      if (outcome !== won) {
        expect(outcome).toMatchObject({ reason: { code: 'CONFLICT' } });
      }
    }
    const { em } = fresh(session);
    expect(await em.count(Subscription, { customer: customer.id })).toBe(2);
    expect(await em.count(SubscriptionItem, { customerId: customer.id })).toBe(2);
    expect(await em.count(SubscriptionItemFeature, { customerId: customer.id })).toBe(1);
  });
});
