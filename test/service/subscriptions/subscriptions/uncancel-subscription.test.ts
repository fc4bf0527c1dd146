import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { detachPaymentMethod } from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import type { endTimings } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import type { CreateSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { aPaymentMethod, aSubscription, fresh } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at, eventsOf } from '../../../support/time.ts';

const uncancel = (session: Session, id: string) => uncancelSubscription(fresh(session), { id });

/** A subscription that will end with its period. */
async function anEnding(
  session: Session,
  input: Partial<CreateSubscriptionInput> = { doNotCharge: true },
  timing: (typeof endTimings)[number] = 'at_end_of_current_billing_period',
) {
  const clocked = await aClockedCustomer(session);
  const { id } = await aSubscription(session, { customerId: clocked.customer.id, ...input });
  await cancelSubscription(fresh(session), { id, cancellation: { timing } });
  return { ...clocked, id };
}

describe('taking a scheduled cancellation back', () => {
  test('makes the subscription active, and it continues after its period', async ({ session }) => {
    const { id, customer, clock } = await anEnding(session);
    const before = await eventsOf(session, customer);
    expect(await uncancel(session, id)).toMatchObject({
      status: 'active',
      cancelScheduledAt: null,
    });
    expect(await eventsOf(session, customer, before)).toMatchObject([
      {
        type: 'subscription.updated',
        previousAttributes: {
          status: 'cancellation_scheduled',
          cancelScheduledAt: at('2026-02-28').getTime(),
        },
      },
    ]);
    await advance(session, { clock }, at('2026-03-01'));
    expect(await fresh(session).em.findOneOrFail(Subscription, id)).toMatchObject({
      status: 'active',
      currentBillingPeriodEnd: at('2026-03-31'),
    });
  });

  test('makes a trial a trial again', async ({ session }) => {
    const { id } = await anEnding(session, { trialEnd: at('2026-02-10') });
    await expect(uncancel(session, id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const { customer } = await fresh(session).em.findOneOrFail(Subscription, id);
    const { id: method } = await aPaymentMethod(session, customer.id);
    await fresh(session).em.nativeUpdate(Subscription, { id }, { backupPaymentMethod: method });
    expect(await uncancel(session, id)).toMatchObject({
      status: 'trialing',
      trialEnd: at('2026-02-10'),
    });
  });

  test('brings periods back that were to be canceled', async ({ session }) => {
    const { id, customer } = await anEnding(session);
    const { em } = fresh(session);
    const subscription = await em.findOneOrFail(Subscription, id);
    em.create(BillingPeriod, {
      subscription,
      customerId: customer.id,
      startDate: at('2026-02-28'),
      endDate: at('2026-03-31'),
      status: 'scheduled_to_cancel',
    });
    await em.flush();
    await uncancel(session, id);
    const periods = await fresh(session).em.find(
      BillingPeriod,
      { subscription: id },
      { orderBy: { startDate: 'asc' } },
    );
    expect(periods).toMatchObject([{ status: 'active' }, { status: 'upcoming' }]);
  });

  test('is refused for a paid one that nothing pays for, and nothing changes', async ({
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const { id: method } = await aPaymentMethod(session, clocked.customer.id);
    const { id } = await aSubscription(session, {
      customerId: clocked.customer.id,
      defaultPaymentMethodId: method,
    });
    const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
    await cancelSubscription(fresh(session), { id, cancellation });
    await detachPaymentMethod(fresh(session), { id: method });
    const events = await eventsOf(session, clocked.customer);
    await expect(uncancel(session, id)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: ['id'], message: expect.stringMatching(/has no payment method/) }],
    });
    expect(await eventsOf(session, clocked.customer, events)).toEqual([]);
  });

  test('leaves what has ended, and what was never to end, as it is', async ({ session }) => {
    const { id, customer } = await anEnding(session, undefined, 'immediately');
    const plan = await fresh(session).em.findOneOrFail(Subscription, {
      customer: customer.id,
      status: 'active',
    });
    const events = await eventsOf(session, customer);
    expect((await uncancel(session, id)).status).toBe('canceled');
    expect((await uncancel(session, plan.id)).status).toBe('active');
    expect(await eventsOf(session, customer, events)).toEqual([]);
  });

  test('happens once, however many ask for it at once', async ({ session }) => {
    const { id, customer } = await anEnding(session);
    const events = await eventsOf(session, customer);
    const answers = await Promise.all([1, 2, 3, 4].map(() => uncancel(session, id)));
    expect(answers.map(({ status }) => status)).toEqual(['active', 'active', 'active', 'active']);
    expect(await eventsOf(session, customer, events)).toHaveLength(1);
  });
});
