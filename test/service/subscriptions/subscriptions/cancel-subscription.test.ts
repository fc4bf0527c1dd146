import { describe, expect } from 'vitest';
import { createPricingModel } from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { subscriptionStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { endTimings } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import {
  aCustomer,
  allowSeveral,
  aSubscription,
  aToggle,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at, eventsOf } from '../../../support/time.ts';

const immediately = 'immediately';
const atEnd = 'at_end_of_current_billing_period';
type Timing = (typeof endTimings)[number];

const cancel = (session: Session, id: string, timing: Timing) =>
  cancelSubscription(fresh(session), { id, cancellation: { timing } });

const read = (session: Session, id: string) => fresh(session).em.findOneOrFail(Subscription, id);

const plansOf = (session: Session, { id }: { id: string }) =>
  fresh(session).em.find(Subscription, { customer: id, isFreePlan: true, status: 'active' });

/** Steps that the service does not execute by itself. */
const put = (session: Session, id: string, changes: object) =>
  fresh(session).em.nativeUpdate(Subscription, { id }, changes);

describe('cancelling at once', () => {
  test('ends the subscription, its period, items and features now, and tells of it', async ({
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const { customer } = clocked;
    const { id } = await aSubscription(session, {
      customerId: customer.id,
      doNotCharge: true,
      featureIds: [(await aToggle(session)).id],
    });
    await advance(session, clocked, at('2026-02-10'));
    const before = await eventsOf(session, customer);
    await cancel(session, id, immediately);
    expect(await read(session, id)).toMatchObject({
      status: 'canceled',
      current: false,
      canceledAt: at('2026-02-10'),
      cancelScheduledAt: at('2026-02-10'),
      cancellationReason: null,
      transitionDueAt: null,
    });
    const { em } = fresh(session);
    const ended = { expiredAt: at('2026-02-10') };
    expect(await em.find(BillingPeriod, { subscription: id })).toMatchObject([
      { status: 'completed', endDate: at('2026-02-10') },
    ]);
    expect(await em.find(SubscriptionItem, { subscription: id })).toMatchObject([ended]);
    expect(await em.find(SubscriptionItemFeature, { subscriptionId: id })).toMatchObject([ended]);
    const events = await eventsOf(session, customer, before);
    expect(events.find(({ objectId }) => objectId === id)).toMatchObject({
      type: 'subscription.canceled',
      previousAttributes: { status: 'active', canceledAt: null, cancelScheduledAt: null },
    });
    expect(events.filter(({ type }) => type === 'subscription.created')).toHaveLength(1);
  });

  test('brings the customer back to the free plan, which begins there and then', async ({
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const { id } = await aSubscription(session, {
      customerId: clocked.customer.id,
      doNotCharge: true,
    });
    await advance(session, clocked, at('2026-02-10'));
    await cancel(session, id, immediately);
    expect(await plansOf(session, clocked.customer)).toMatchObject([
      {
        startDate: at('2026-02-10'),
        currentBillingPeriodEnd: at('2026-03-10'),
        name: 'Free Plan Subscription',
      },
    ]);
  });

  test('leaves a customer who has something else without the free plan', async ({ session }) => {
    await allowSeveral(session);
    const customer = await aCustomer(session);
    const input = { customerId: customer.id, doNotCharge: true };
    const [one, other] = [await aSubscription(session, input), await aSubscription(session, input)];
    await cancel(session, one.id, immediately);
    expect(await plansOf(session, customer)).toEqual([]);
    await cancel(session, other.id, immediately);
    expect(await plansOf(session, customer)).toHaveLength(1);
  });

  test('leaves nothing where the default product is not for sale', async ({ api, session }) => {
    const customer = await aCustomer(session);
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    const product = (await api('GET', '/products')).body.data.find(
      (one: { default: boolean }) => one.default,
    );
    await fresh(session).em.execute('update product set active = false where id = ?', [product.id]);
    await cancel(session, id, immediately);
    expect(await plansOf(session, customer)).toEqual([]);
  });

  test('ends what is incomplete, too', async ({ session }) => {
    const customer = await aCustomer(session);
    const { id } = await aSubscription(session, { customerId: customer.id });
    expect(await cancel(session, id, immediately)).toMatchObject({ status: 'canceled' });
    expect(await plansOf(session, customer)).toHaveLength(1);
  });

  test.for(subscriptionStatuses.filter((status) => !/canceled|expired/.test(status)))(
    'ends what is %s',
    async (status, { session }) => {
      const { id } = await aSubscription(session, { doNotCharge: true });
      const { now: pausedAt } = session;
      const paused = { pausedAt, pauseBilling: 'nothing', pauseEntitlements: 'off' } as const;
      const unpaid = { unpaidAt: pausedAt, unpaidAccess: 'keep' } as const;
      await put(session, id, {
        status,
        ...(status === 'unpaid' && unpaid),
        ...(status === 'paused' && paused),
      });
      expect((await cancel(session, id, immediately)).status).toBe('canceled');
    },
  );

  test('cancels periods that are owed or lie ahead', async ({ session }) => {
    const clocked = await aClockedCustomer(session);
    const { id } = await aSubscription(session, {
      customerId: clocked.customer.id,
      trialEnd: at('2026-02-01'),
    });
    await advance(session, clocked, at('2026-03-15'));
    const statuses = async () =>
      (
        await fresh(session).em.find(
          BillingPeriod,
          { subscription: id },
          { orderBy: { startDate: 'asc' } },
        )
      ).map(({ status }) => status);
    expect(await statuses()).toEqual(['completed', 'past_due', 'active']);
    await cancel(session, id, immediately);
    expect(await statuses()).toEqual(['completed', 'canceled', 'completed']);
    const later = await aSubscription(session, {
      customerId: clocked.customer.id,
      doNotCharge: true,
      startDate: at('2027-01-01'),
    });
    await cancel(session, later.id, immediately);
    expect(await fresh(session).em.find(BillingPeriod, { subscription: later.id })).toMatchObject([
      { status: 'canceled', startDate: at('2027-01-01') },
    ]);
  });

  test('keeps the instant of what has ended before', async ({ api, session }) => {
    const clocked = await aClockedCustomer(session);
    const { id } = await aSubscription(session, {
      customerId: clocked.customer.id,
      doNotCharge: true,
      featureIds: [(await aToggle(session)).id],
    });
    const { em } = fresh(session);
    const feature = await em.findOneOrFail(SubscriptionItemFeature, { subscriptionId: id });
    const expiredAt = at('2026-02-01').getTime();
    await api('POST', `/subscription-item-features/${feature.id}/expire`, { expiredAt });
    await advance(session, clocked, at('2026-02-10'));
    await cancel(session, id, immediately);
    expect((await em.refresh(feature))?.expiredAt).toEqual(at('2026-02-01'));
  });
});

describe('cancelling at the end of the period', () => {
  test('schedules the end and changes nothing else', async ({ session }) => {
    const { customer } = await aClockedCustomer(session);
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    const before = await eventsOf(session, customer);
    await cancel(session, id, atEnd);
    await cancel(session, id, atEnd);
    expect(await read(session, id)).toMatchObject({
      status: 'cancellation_scheduled',
      current: true,
      cancelScheduledAt: at('2026-02-28'),
      canceledAt: null,
    });
    expect(await eventsOf(session, customer, before)).toMatchObject([
      {
        type: 'subscription.updated',
        objectId: id,
        previousAttributes: { status: 'active', cancelScheduledAt: null },
      },
    ]);
  });

  test('may still be made an end at once', async ({ session }) => {
    const { customer } = await aClockedCustomer(session);
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    await cancel(session, id, atEnd);
    expect(await cancel(session, id, immediately)).toMatchObject({
      status: 'canceled',
      cancelScheduledAt: at('2026-01-31'),
    });
  });

  test('is refused without a current period and without periods at all', async ({ session }) => {
    const { id } = await aSubscription(session);
    await expect(cancel(session, id, atEnd)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const startDate = new Date(session.now.getTime() + 60_000);
    const later = await aSubscription(session, { doNotCharge: true, startDate });
    await expect(cancel(session, later.id, atEnd)).rejects.toMatchObject({ code: 'NOT_FOUND' });

    const bare = await createPricingModel(fresh(session), { pricingModel: { name: 'Bare' } });
    const model = enterPricingModel(session, bare.id);
    const [plan] = await plansOf(model, await aCustomer(model));
    await put(model, plan?.id ?? '', { isFreePlan: false });
    await expect(cancel(model, plan?.id ?? '', atEnd)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: ['cancellation', 'timing'] }],
    });
    expect((await cancel(model, plan?.id ?? '', immediately)).status).toBe('canceled');
  });
});

describe.for(endTimings)('cancelling %s', (timing) => {
  test('leaves what has ended as it is, and is no event', async ({ session }) => {
    const customer = await aCustomer(session);
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    await cancel(session, id, immediately);
    const [before, events] = [await read(session, id), await eventsOf(session, customer)];
    expect(await cancel(session, id, timing)).toMatchObject({ status: 'canceled' });
    expect((await read(session, id)).version).toBe(before.version);
    expect(await eventsOf(session, customer, events)).toEqual([]);
  });

  test('is refused for a free plan', async ({ session }) => {
    const customer = await aCustomer(session);
    const [plan] = await plansOf(session, customer);
    const id = plan?.id ?? '';
    await expect(cancel(session, id, timing)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: ['id'], message: expect.stringMatching(/is a free plan/) }],
    });
    expect((await read(session, id)).status).toBe('active');
  });
});

test('a cancellation and the end of the period in parallel: each happens once, in either order', async ({
  session,
}) => {
  const customer = await aCustomer(session);
  const startDate = new Date(session.now.getTime() - 40 * 86_400_000);
  const input = { customerId: customer.id, doNotCharge: true, startDate };
  const { id } = await aSubscription(session, input);
  await Promise.all([
    cancel(session, id, immediately),
    transitionSubscription(fresh(session), id),
    cancel(session, id, immediately),
    transitionSubscription(fresh(session), id),
  ]);
  expect(await read(session, id)).toMatchObject({ status: 'canceled', transitionDueAt: null });
  const open = { subscription: id, status: 'active' as const };
  expect(await fresh(session).em.count(BillingPeriod, open)).toBe(0);
  const canceled = (await eventsOf(session, customer)).filter(
    ({ type }) => type === 'subscription.canceled',
  );
  expect(canceled).toHaveLength(1);
  expect(await plansOf(session, customer)).toHaveLength(1);
});
