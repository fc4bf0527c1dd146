import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { previewAdjustment } from '#domain/subscriptions/commands/subscription-adjustments/preview-adjustment.ts';
import { createSubscriptionPhase } from '#domain/subscriptions/commands/subscription-phases/create-subscription-phase.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import {
  aCustomer,
  allowSeveral,
  aPaymentMethod,
  aPriceOf,
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
    const refusal = {
      code: 'CONFLICT',
      message: expect.stringMatching(/already has a subscription at price 0 \(sub_/),
    };
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

describe('a second subscription at price 0', () => {
  const paidOne = (session: Session, customerId: string, unitPrice = 1_000) =>
    aSubscription(session, { customerId, unitPrice });
  const toPrice = async (session: Session, id: string, unitPrice: number) =>
    adjustSubscription(fresh(session), {
      id,
      adjustment: {
        timing: 'immediately',
        newSubscriptionItems: [{ priceId: await aPriceOf(session, { unitPrice }), quantity: 1 }],
      },
    });

  test('is refused for a customer whose paid one has come to price 0', async ({ session }) => {
    await allowSeveral(session);
    const customer = await aCustomer(session);
    await aPaymentMethod(session, customer.id, { default: true });
    const { id } = await paidOne(session, customer.id);
    await toPrice(session, id, 0);
    await expect(paidOne(session, customer.id, 0)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(id),
    });
    const more = await paidOne(session, customer.id);
    await expect(toPrice(session, more.id, 0)).rejects.toMatchObject({ code: 'CONFLICT' });
    await cancelSubscription(fresh(session), {
      id: more.id,
      cancellation: { timing: 'immediately' },
    });
    await toPrice(session, id, 500);
  });

  test('is refused by an adjustment, its preview and a phase where the free plan has come back', async ({
    session,
  }) => {
    await allowSeveral(session);
    const customer = await aCustomer(session);
    await aPaymentMethod(session, customer.id, { default: true });
    const { id } = await paidOne(session, customer.id);
    await pauseSubscription(fresh(session), { id, pause: { timing: 'immediately' } });
    const other = await paidOne(session, customer.id);
    const timing = 'immediately' as const;
    await cancelSubscription(fresh(session), { id: other.id, cancellation: { timing } });
    await resumeSubscription(fresh(session), { id });
    const plans = (await subscriptionsOf(session, customer)).filter(({ current }) => current);
    const free = plans.find(({ isFreePlan }) => isFreePlan);
    expect(plans).toHaveLength(2);
    const refusal = { code: 'CONFLICT', message: expect.stringContaining(free?.id ?? '') };
    const priceId = await aPriceOf(session, { unitPrice: 0 });
    const adjustment = { timing, newSubscriptionItems: [{ priceId, quantity: 1 }] };
    await expect(adjustSubscription(fresh(session), { id, adjustment })).rejects.toMatchObject(
      refusal,
    );
    const preview = await previewAdjustment(fresh(session), { id, adjustment });
    expect(preview).toMatchObject({ canAdjust: false, reason: refusal.message });
    const phase = { subscriptionId: id, startsAt: new Date('2100-01-01'), items: [{ priceId }] };
    await expect(
      createSubscriptionPhase(fresh(session), { subscriptionPhase: phase }),
    ).rejects.toMatchObject(refusal);
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
