// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import {
  aCustomer,
  aPaymentMethod,
  aSubscription,
  aTestClock,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import {
  advance,
  aTimedSubscription,
  at,
  eventsOf,
  fresh,
  periodsOf,
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

describe('at the end of a period', () => {
  test('the next one starts where it ended, and the day of the anchor applies', async ({
    session,
  }) => {
    const { clockId, id } = await aTimedSubscription(session, { doNotCharge: true });
    await advance(session, clockId, '2026-05-30');
    expect(await storyOf(session, id)).toEqual([
      '2026-01-31 2026-02-28 completed',
      '2026-02-28 2026-03-31 completed',
      '2026-03-31 2026-04-30 completed',
      '2026-04-30 2026-05-31 active',
    ]);
    const subscription = await subscriptionOf(session, id);
    expect(told(subscription.currentBillingPeriodStart)).toBe('2026-04-30');
    expect(told(subscription.currentBillingPeriodEnd)).toBe('2026-05-31');
  });

  test('what happens bears the instant it was due, however far the clock is moved', async ({
    session,
  }) => {
    const { clockId, id } = await aTimedSubscription(session, { paid: true });
    await advance(session, clockId, '2026-04-15');
    const periods = await periodsOf(session, id);
    expect(periods.map(({ createdAt }) => told(createdAt))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
    ]);
    expect(told((await subscriptionOf(session, id)).updatedAt)).toBe('2026-03-31');
    const events = await eventsOf(session, id);
    expect(events.map(({ type, occurredAt }) => `${type} ${told(occurredAt)}`)).toEqual([
      'subscription.created 2026-01-31',
      'subscription.updated 2026-02-28',
      'subscription.updated 2026-03-31',
    ]);
  });

  test('one that is not due yet stays as it is, to the millisecond', async ({ session }) => {
    const { clockId, id } = await aTimedSubscription(session, { paid: true });
    await advance(session, clockId, '2026-02-28T09:59:59.999Z');
    expect(await transitionSubscription(fresh(session, at('2030-01-01')), id)).toBe(false);
    expect(await storyOf(session, id)).toEqual(['2026-01-31 2026-02-28 active']);
    await advance(session, clockId, '2026-02-28');
    expect(await storyOf(session, id)).toHaveLength(2);
  });

  test('a period that is owed for becomes past due, and one with nothing to pay completed', async ({
    session,
  }) => {
    const owing = await aTimedSubscription(session, { paid: true });
    await leaveWithoutPayer(session, owing.id);
    const paid = await aTimedSubscription(session, { paid: true });
    const free = await aTimedSubscription(session, { doNotCharge: true });
    for (const { clockId } of [paid, free]) await advance(session, clockId, '2026-02-28');
    await advance(session, owing.clockId, '2026-03-31');
    const ended = '2026-01-31 2026-02-28';
    const next = '2026-02-28 2026-03-31 active';
    expect(await storyOf(session, owing.id)).toEqual([
      `${ended} completed`,
      '2026-02-28 2026-03-31 past_due',
      '2026-03-31 2026-04-30 active',
    ]);
    expect(await storyOf(session, paid.id)).toEqual([`${ended} completed`, next]);
    expect(await storyOf(session, free.id)).toEqual([`${ended} completed`, next]);
  });

  test('a period that is final already keeps its status, and the next one is opened', async ({
    session,
  }) => {
    const { clockId, id } = await aTimedSubscription(session, { paid: true });
    const { em } = fresh(session);
    await em.nativeUpdate(BillingPeriod, { subscription: id }, { status: 'completed' });
    await advance(session, clockId, '2026-02-28');
    expect(await storyOf(session, id)).toEqual([
      '2026-01-31 2026-02-28 completed',
      '2026-02-28 2026-03-31 active',
    ]);
    expect((await subscriptionOf(session, id)).status).toBe('active');
  });

  test.for([
    ['with a payment method stays active', { paid: true }, 'active'],
    ['without one becomes past due', { paid: false }, 'past_due'],
    ['that is not charged for stays active without one', { doNotCharge: true }, 'active'],
  ] as const)('a subscription %s', async ([, input, status], { session }) => {
    const { paid } = { paid: false, ...input };
    const { clockId, id } = await aTimedSubscription(session, { ...input, paid: true });
    if (!paid) await leaveWithoutPayer(session, id);
    await advance(session, clockId, '2026-02-28');
    expect((await subscriptionOf(session, id)).status).toBe(status);
    expect(await storyOf(session, id)).toHaveLength(2);
  });

  test('one that has never begun gives way to another, and one that is being paid for does not', async ({
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const waiting = await aSubscription(session, { customerId });
    expect(waiting.status).toBe('incomplete');
    const other = await aSubscription(session, { customerId, doNotCharge: true });
    expect((await subscriptionOf(session, waiting.id)).status).toBe('canceled');
    expect((await subscriptionOf(session, other.id)).status).toBe('active');

    const { id: payerId } = await aCustomer(session);
    await aPaymentMethod(session, payerId, { token: 'sandbox_slow' });
    const paying = await aSubscription(session, { customerId: payerId });
    expect(paying.status).toBe('incomplete');
    await expect(aSubscription(session, { customerId: payerId })).rejects.toThrow('is paying for');
  });

  test('a free plan stays active for years', async ({ session }) => {
    const clock = await aTestClock(session, at('2026-01-31'));
    const customer = await aCustomer(session, { testClockId: clock.id });
    await advance(session, clock.id, '2028-01-31');
    const subscriptions = await subscriptionsOf(session, customer.id);
    expect(subscriptions).toMatchObject([{ status: 'active', isFreePlan: true }]);
    const story = await storyOf(session, subscriptions[0]?.id ?? '');
    expect(story).toHaveLength(25);
    expect(story.slice(0, 24).every((period) => period.endsWith(' completed'))).toBe(true);
  });

  test('a subscription that has ended has no further period', async ({ session }) => {
    const { clockId, id } = await aTimedSubscription(session, { paid: true });
    await cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
    const before = await storyOf(session, id);
    await advance(session, clockId, '2026-06-30');
    expect(await storyOf(session, id)).toEqual(before);
    expect(await transitionSubscription(fresh(session), id)).toBe(false);
    expect((await eventsOf(session, id)).at(-1)?.type).toBe('subscription.canceled');
  });

  test('an adjustment that was scheduled for it is scheduled no longer, a later one stays', async ({
    session,
  }) => {
    const { clockId, id } = await aTimedSubscription(session, { paid: true });
    const schedule = (scheduledAdjustmentAt: Date) =>
      fresh(session).em.nativeUpdate(Subscription, { id }, { scheduledAdjustmentAt });
    await schedule(at('2026-02-28'));
    await advance(session, clockId, '2026-02-28');
    expect((await subscriptionOf(session, id)).scheduledAdjustmentAt).toBeNull();
    await schedule(at('2026-04-30'));
    await advance(session, clockId, '2026-03-31');
    expect(told((await subscriptionOf(session, id)).scheduledAdjustmentAt)).toBe('2026-04-30');
  });
});

describe('at the end of a trial', () => {
  const trial = { trialEnd: at('2026-02-14') };

  test.for([
    ['active with a payment method', true, 'active'],
    ['past due without one', false, 'past_due'],
  ] as const)('the first paid period starts, %s', async ([, paid, status], { session }) => {
    const { clockId, id } = await aTimedSubscription(session, { ...trial, paid });
    expect((await subscriptionOf(session, id)).status).toBe('trialing');
    await advance(session, clockId, '2026-03-20');
    expect(await storyOf(session, id)).toEqual([
      '2026-01-31 2026-02-14 completed',
      `2026-02-14 2026-03-14 ${paid ? 'completed' : 'past_due'}`,
      '2026-03-14 2026-04-14 active',
    ]);
    const periods = await periodsOf(session, id);
    expect(periods.map((period) => [period.trialPeriod, period.items.length])).toEqual([
      [true, 0],
      [false, 1],
      [false, 1],
    ]);
    expect((await subscriptionOf(session, id)).status).toBe(status);
  });

  test('it is reported once that the trial has ended, with what changed', async ({ session }) => {
    const { clockId, id } = await aTimedSubscription(session, { ...trial, paid: true });
    await advance(session, clockId, '2026-05-01');
    const events = await eventsOf(session, id);
    expect(events.map(({ type }) => type)).toEqual([
      'subscription.created',
      'subscription.trial_ending',
      'subscription.trial_ended',
      'subscription.updated',
      'subscription.updated',
    ]);
    expect(events[2]).toMatchObject({
      occurredAt: at('2026-02-14'),
      data: { status: 'active', currentBillingPeriodEnd: at('2026-03-14').getTime() },
      previousAttributes: { status: 'trialing' },
    });
  });

  test('the days of the paid periods count from the end of the trial', async ({ session }) => {
    const { clockId, id } = await aTimedSubscription(session, {
      trialEnd: at('2026-03-31'),
      paid: true,
    });
    await advance(session, clockId, '2026-05-31');
    expect((await storyOf(session, id)).map((period) => period.slice(0, 21))).toEqual([
      '2026-01-31 2026-03-31',
      '2026-03-31 2026-04-30',
      '2026-04-30 2026-05-31',
      '2026-05-31 2026-06-30',
    ]);
  });

  test('one that is to end with it ends without a paid period', async ({ session }) => {
    const { clockId, id } = await aTimedSubscription(session, { ...trial, paid: true });
    await scheduleCancellation(session, id);
    await advance(session, clockId, '2026-05-01');
    expect(await storyOf(session, id)).toEqual(['2026-01-31 2026-02-14 completed']);
    const events = await eventsOf(session, id);
    expect(events.map(({ type }) => type)).toEqual([
      'subscription.created',
      'subscription.updated',
      'subscription.canceled',
    ]);
  });

  test('a cancellation that is reverted leaves the trial as it was', async ({ session }) => {
    const { clockId, id } = await aTimedSubscription(session, { ...trial, paid: true });
    await scheduleCancellation(session, id);
    await uncancelSubscription(fresh(session), { id });
    expect((await subscriptionOf(session, id)).status).toBe('trialing');
    await advance(session, clockId, '2026-02-14');
    expect((await subscriptionOf(session, id)).status).toBe('active');
  });
});

/** The customer's payment method is gone, as when a card has expired. */
async function leaveWithoutPayer(session: Session, id: string) {
  const { em } = fresh(session);
  await em.nativeUpdate(Subscription, { id }, { defaultPaymentMethod: null });
}
