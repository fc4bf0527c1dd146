import { describe, expect } from 'vitest';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { detachPaymentMethod } from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import {
  aCustomer,
  allowSeveral,
  aPaymentMethod,
  aSubscription,
  aToggle,
  fresh,
} from '../../../support/factories.ts';
import { testAlone } from '../../../support/test.ts';
import { aClockedCustomer, advance, at, eventsOf } from '../../../support/time.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const read = (session: Session, id: string) => fresh(session).em.findOneOrFail(Subscription, id);

const periodsOf = (session: Session, id: string) =>
  fresh(session).em.find(
    BillingPeriod,
    { subscription: id },
    { populate: ['items'], orderBy: { startDate: 'asc' } },
  );

/** The same tenant at another time. */
const later = (session: Session, now: Date) => {
  const { em, apiKeyId, ...scope } = session;
  return openSession(em, { ...scope, now }, apiKeyId);
};

describe('the end of a period', () => {
  test('opens the next one as of that instant, with the items of then, and tells of it', async ({
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const { id } = await aSubscription(session, {
      customerId: clocked.customer.id,
      doNotCharge: true,
      quantity: 2,
    });
    await addFeatureToSubscription(fresh(session), { id, featureId: (await aToggle(session)).id });
    const before = await eventsOf(session, clocked.customer);
    await advance(session, clocked, at('2026-03-15'));
    const [first, second] = await periodsOf(session, id);
    expect(first).toMatchObject({ status: 'completed', endDate: at('2026-02-28') });
    expect(second).toMatchObject({
      status: 'active',
      createdAt: at('2026-02-28'),
      startDate: at('2026-02-28'),
      endDate: at('2026-03-31'),
    });
    expect(second?.items.getItems()).toMatchObject([{ name: 'Pro', quantity: 2 }]);
    expect(await eventsOf(session, clocked.customer, before)).toMatchObject([
      { type: 'billing_period.updated', previousAttributes: { status: 'active' } },
      { type: 'billing_period.created', previousAttributes: null },
      {
        type: 'subscription.updated',
        objectId: id,
        occurredAt: at('2026-02-28'),
        previousAttributes: {
          currentBillingPeriodStart: at('2026-01-31').getTime(),
          currentBillingPeriodEnd: at('2026-02-28').getTime(),
        },
      },
    ]);
  });

  test.for([
    ['2024-01-31', 'month', 1, ['2024-02-29', '2024-03-31', '2024-04-30']],
    ['2023-01-31', 'month', 1, ['2023-02-28', '2023-03-31', '2023-04-30']],
    ['2024-01-31', 'month', 3, ['2024-04-30', '2024-07-31']],
    ['2023-11-15', 'month', 5, ['2024-04-15', '2024-09-15']],
    ['2024-02-29', 'year', 1, ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    ['2024-02-29', 'year', 2, ['2026-02-28', '2028-02-29']],
    ['2024-02-28', 'day', 1, ['2024-02-29', '2024-03-01']],
    ['2023-12-25', 'week', 2, ['2024-01-08', '2024-01-22']],
  ] as const)(
    'from %s, by %s × %i, falls on %j',
    async ([start, interval, count, ends], { session }) => {
      const clocked = await aClockedCustomer(session, at(start));
      const { id } = await aSubscription(session, {
        customerId: clocked.customer.id,
        doNotCharge: true,
        interval,
        intervalCount: count,
      });
      await advance(session, clocked, at(ends.at(-2) ?? start));
      const periods = await periodsOf(session, id);
      expect(periods.map(({ endDate }) => endDate)).toEqual(ends.map(at));
      expect(periods.slice(1).map(({ startDate }) => startDate)).toEqual(ends.slice(0, -1).map(at));
    },
  );

  test('leaves a period past due while nothing has paid it, and completes one that was paid', async ({
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const { id: method } = await aPaymentMethod(session, clocked.customer.id);
    const { id } = await aSubscription(session, {
      customerId: clocked.customer.id,
      defaultPaymentMethodId: method,
    });
    await detachPaymentMethod(fresh(session), { id: method });
    await advance(session, clocked, at('2026-03-31'));
    expect((await read(session, id)).status).toBe('past_due');
    expect(await periodsOf(session, id)).toMatchObject([
      { status: 'completed' },
      { status: 'past_due' },
      { status: 'active' },
    ]);
  });

  test('carries a scheduled cancellation out, and the customer is on the free plan from then on', async ({
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const { customer } = clocked;
    const { id } = await aSubscription(session, {
      customerId: customer.id,
      doNotCharge: true,
      featureIds: [(await aToggle(session)).id],
    });
    const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
    await cancelSubscription(fresh(session), { id, cancellation });
    const before = await eventsOf(session, customer);
    await advance(session, clocked, at('2026-05-01'));
    const end = at('2026-02-28');
    expect(await read(session, id)).toMatchObject({
      status: 'canceled',
      canceledAt: end,
      cancelScheduledAt: end,
      cancellationReason: null,
    });
    expect(await periodsOf(session, id)).toMatchObject([{ status: 'completed', endDate: end }]);
    const { em } = fresh(session);
    expect(await em.find(SubscriptionItemFeature, { subscriptionId: id })).toMatchObject([
      { expiredAt: end },
    ]);
    const plan = { customer: customer.id, status: 'active' as const };
    expect(await em.find(Subscription, plan)).toMatchObject([
      { isFreePlan: true, startDate: end, currentBillingPeriodEnd: at('2026-05-28') },
    ]);
    const [first] = (await eventsOf(session, customer, before)).filter(
      ({ objectId }) => objectId === id,
    );
    expect(first).toMatchObject({ type: 'subscription.canceled', occurredAt: end });
  });

  test('does nothing before it is due, twice, and to what has ended', async ({ session }) => {
    const customer = await aCustomer(session);
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    expect(await transitionSubscription(fresh(session), id)).toBe(false);
    const due = (await read(session, id)).currentBillingPeriodEnd as Date;
    const justBefore = later(session, new Date(due.getTime() - 1));
    expect(await transitionSubscription(justBefore, id)).toBe(false);
    const then = () => transitionSubscription(later(session, due), id);
    expect((await Promise.all([then(), then(), then(), then()])).filter(Boolean)).toHaveLength(1);
    expect(await periodsOf(session, id)).toHaveLength(2);
    const cancellation = { timing: 'immediately' } as const;
    await cancelSubscription(later(session, due), { id, cancellation });
    expect(await transitionSubscription(later(session, at('2100-01-01')), id)).toBe(false);
  });
});

test('with the year 9999 the periods end, and the clock continues to where it was sent', async ({
  session,
}) => {
  const clocked = await aClockedCustomer(session, at('9999-10-31'));
  const [plan] = await session.em.find(Subscription, { customer: clocked.customer });
  const clock = await advance(session, clocked, new Date('9999-12-31T23:59:59.999Z'));
  expect(clock).toMatchObject({ status: 'ready', advancingTo: null });
  expect((await read(session, plan?.id ?? '')).transitionDueAt).toBeNull();
  expect(await periodsOf(session, plan?.id ?? '')).toMatchObject([
    { status: 'completed', endDate: at('9999-11-30') },
    { status: 'completed', endDate: at('9999-12-31') },
  ]);
});

describe('a subscription that nothing has touched for months', () => {
  test('is not kept from the others by one that fails, and its error is reported', async ({
    session,
    database,
  }) => {
    const input = { doNotCharge: true, startDate: at('2026-01-31') };
    const [broken, sound] = [
      await aSubscription(session, input),
      await aSubscription(session, input),
    ];
    const { em } = fresh(session);
    em.create(BillingPeriod, {
      subscription: await em.findOneOrFail(Subscription, broken.id),
      customerId: broken.customerId,
      startDate: at('2026-02-28'),
      endDate: at('2026-03-01'),
    });
    await em.flush();
    const run = transitionDueSubscriptions(database.orm.em, at('2026-06-15'), 'test');
    await expect(run).rejects.toThrow(broken.id);
    expect(await periodsOf(session, sound.id)).toHaveLength(5);
    expect((await read(session, broken.id)).currentBillingPeriodEnd).toEqual(at('2026-02-28'));
    await fresh(session).em.nativeDelete(Subscription, { id: broken.id });
  });

  test('crosses every boundary in its order, with the same result as one who was not', async ({
    session,
    database,
  }) => {
    const { id } = await aSubscription(session, { doNotCharge: true, startDate: at('2026-01-31') });
    const { id: clocked } = await aSubscription(session, {
      customerId: (await aClockedCustomer(session)).customer.id,
      doNotCharge: true,
    });
    await transitionDueSubscriptions(database.orm.em, at('2026-06-15'), 'test');
    const periods = await periodsOf(session, id);
    expect(periods.map(({ status, endDate }) => [status, endDate])).toEqual([
      ['completed', at('2026-02-28')],
      ['completed', at('2026-03-31')],
      ['completed', at('2026-04-30')],
      ['completed', at('2026-05-31')],
      ['active', at('2026-06-30')],
    ]);
    expect(await periodsOf(session, clocked)).toHaveLength(1);
    expect(await transitionDueSubscriptions(database.orm.em, at('2026-06-15'), 'test')).toBe(0);
  });

  test('crosses each boundary once, also when two processes do it at the same time', async ({
    session,
    database,
  }) => {
    await allowSeveral(session);
    const ids = [];
    for (const startDate of [at('2026-01-31'), at('2026-01-31'), at('2026-02-28')]) {
      ids.push((await aSubscription(session, { doNotCharge: true, startDate })).id);
    }
    const run = () => transitionDueSubscriptions(database.orm.em, at('2026-06-15'), 'test');
    const [one, two] = await Promise.all([run(), run()]);
    expect(one + two).toBe(4 + 4 + 3);
    for (const id of ids) {
      const periods = await periodsOf(session, id);
      expect(periods.filter(({ status }) => status === 'active')).toHaveLength(1);
    }
  });
});
