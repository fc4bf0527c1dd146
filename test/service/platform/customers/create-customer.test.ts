import { describe, expect } from 'vitest';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { aCustomer, aLiveSession, aPricingModel, fresh } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, at, eventsOf } from '../../../support/time.ts';

const input = { email: 'ada@example.com', name: 'Ada', externalId: 'ada' };

describe('a new customer', () => {
  test('is on the free plan from its own now on', async ({ session }) => {
    const { customer } = await aClockedCustomer(session);
    const [plan] = await session.em.find(Subscription, { customer: customer });
    expect(customer.createdAt).toEqual(at('2026-01-31'));
    expect(plan).toMatchObject({
      name: 'Free Plan Subscription',
      status: 'active',
      isFreePlan: true,
      startDate: at('2026-01-31'),
      currentBillingPeriodEnd: at('2026-02-28'),
    });
  });

  test('is reported before what it is subscribed to', async ({ session }) => {
    const events = await eventsOf(session, await aCustomer(session));
    expect(events.map(({ type }) => type)).toEqual([
      'customer.created',
      'subscription.created',
      'subscription_item.created',
      'billing_period.created',
    ]);
    expect(events.map(({ previousAttributes }) => previousAttributes)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('is subscribed to nothing where the free product is not for sale', async ({ session }) => {
    await session.em
      .fork()
      .execute('update product set active = false where organization_id = ?', [
        session.organizationId,
      ]);
    expect(await createCustomer(fresh(session), { customer: input })).toMatchObject({
      customer: { externalId: 'ada' },
      subscription: null,
      subscriptionItems: null,
    });
  });

  test('may have an external id that another pricing model or mode has', async ({ session }) => {
    for (const other of [session, await aPricingModel(session), await aLiveSession(session)]) {
      await aCustomer(other, { externalId: 'ada' });
    }
    expect(await fresh(session).em.count(Customer)).toBe(1);
  });

  test('leaves no subscription behind when its external id is taken', async ({ session }) => {
    await aCustomer(session, { externalId: 'ada' });
    const taken = createCustomer(fresh(session), { customer: input });
    await expect(taken).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: ['customer', 'externalId'] }],
    });
    expect(await fresh(session).em.count(Subscription)).toBe(1);
  });

  test('has no test clock in live mode', async ({ session }) => {
    const { clock } = await aClockedCustomer(session);
    const live = await aLiveSession(session);
    const customer = { ...input, testClockId: clock.id };
    await expect(createCustomer(fresh(live), { customer })).rejects.toMatchObject({
      issues: [{ path: ['customer', 'testClockId'] }],
    });
  });
});
