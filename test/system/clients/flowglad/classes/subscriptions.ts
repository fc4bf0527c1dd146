import { BadRequestError, NotFoundError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { errorOf, test } from '../sdk.ts';
import { aCatalog, aCustomer, aShop } from '../shop.ts';

describe('subscriptions', () => {
  test('are created, read and listed', async ({ client, session }) => {
    const { customer, subscription } = await aShop(client, session);
    expect(subscription).toMatchObject({
      ...{ customerId: customer.id, status: 'active', interval: 'month', intervalCount: 1 },
      ...{ isFreePlan: false, renews: true },
    });
    const read = await client.subscriptions.retrieve(subscription.id);
    expect(read.subscription).toEqual(subscription);
    const { data } = await client.subscriptions.list({ limit: '100' });
    expect(data.filter(({ id }) => id === subscription.id)).toEqual([subscription]);
  });

  test('are adjusted now, at period end and as it suits', async ({ client, session }) => {
    const { subscription } = await aShop(client, session);
    const now = await client.subscriptions.adjust(subscription.id, {
      adjustment: {
        timing: 'immediately',
        newSubscriptionItems: [{ priceSlug: 'team-monthly', quantity: 2 }],
        prorateCurrentBillingPeriod: true,
      },
    });
    expect(now.subscription).toMatchObject({ id: subscription.id, name: 'team' });
    expect(now.subscriptionItems).toMatchObject([{ unitPrice: 3_000, quantity: 2 }]);
    expect(now).toMatchObject({ resolvedTiming: 'immediately', isUpgrade: true });
    const later = await client.subscriptions.adjust(subscription.id, {
      adjustment: {
        timing: 'at_end_of_current_billing_period',
        newSubscriptionItems: [{ priceSlug: 'pro-monthly', quantity: 1 }],
      },
    });
    expect(later).toMatchObject({ resolvedTiming: 'at_end_of_current_billing_period' });
    await client.post(`/api/v1/subscriptions/${subscription.id}/cancel-scheduled-adjustment`);
    const own = await client.subscriptions.adjust(subscription.id, {
      adjustment: { timing: 'auto', newSubscriptionItems: now.subscriptionItems.slice(0, 1) },
    });
    expect(own.resolvedTiming).toMatch(/^(immediately|at_end_of_current_billing_period)$/);
  });

  test('are canceled and uncanceled', async ({ client, session }) => {
    const { subscription } = await aShop(client, session);
    const scheduled = await client.subscriptions.cancel(subscription.id, {
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    expect(scheduled.subscription).toMatchObject({ status: 'cancellation_scheduled' });
    const back = await client.subscriptions.uncancel(subscription.id);
    expect(back.subscription).toMatchObject({ status: 'active', cancelScheduledAt: null });
    const ended = await client.subscriptions.cancel(subscription.id, {
      cancellation: { timing: 'immediately' },
    });
    expect(ended.subscription).toMatchObject({ status: 'canceled' });
    const again = errorOf(
      client.subscriptions.adjust(subscription.id, {
        adjustment: {
          timing: 'immediately',
          newSubscriptionItems: [{ priceSlug: 'team-monthly', quantity: 1 }],
        },
      }),
    );
    expect(await again).toBeInstanceOf(BadRequestError);
  });

  test('that cannot be are typed errors', async ({ client, session }) => {
    await aCatalog(client, session);
    const { customer } = await aCustomer(client, session);
    const create = (priceSlug: string) =>
      errorOf(client.subscriptions.create({ customerId: customer.id, priceSlug }));
    expect(await create('none')).toMatchObject({ error: { code: expect.any(String) } });
    const missing = await errorOf(client.subscriptions.retrieve('sub_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
  });
});

describe('resourceClaims', () => {
  test('are claimed, counted and released', async ({ client, session }) => {
    const { subscription, resource } = await aShop(client, session);
    const { claims, usage } = await client.resourceClaims.claim(subscription.id, {
      resourceSlug: 'seats',
      externalIds: ['ada', 'grace'],
      metadata: { floor: 2 },
    });
    expect(claims.map(({ externalId }) => externalId)).toEqual(['ada', 'grace']);
    expect(claims[0]?.metadata).toEqual({ floor: 2 });
    expect(usage).toMatchObject({ capacity: 10, claimed: 2, available: 8 });
    const one = await client.resourceClaims.retrieveUsage(subscription.id, {
      resourceSlug: 'seats',
    });
    expect(one.usage).toMatchObject({ resourceId: resource.id, claimed: 2 });
    const all = await client.resourceClaims.listUsages(subscription.id, {
      resourceSlugs: ['seats'],
    });
    expect(all).toMatchObject([{ usage: { resourceSlug: 'seats', claimed: 2 } }]);
    const released = await client.resourceClaims.release(subscription.id, {
      resourceSlug: 'seats',
      claimIds: [claims[0]?.id ?? ''],
    });
    expect(released.releasedClaims.map(({ externalId }) => externalId)).toEqual(['ada']);
    expect(released.usage).toMatchObject({ claimed: 1, available: 9 });
  });

  test('above the capacity are a typed error', async ({ client, session }) => {
    const { subscription } = await aShop(client, session);
    const error = errorOf(
      client.resourceClaims.claim(subscription.id, { resourceSlug: 'seats', quantity: 11 }),
    );
    expect(await error).toBeInstanceOf(BadRequestError);
  });
});

describe('usageEvents', () => {
  test('are recorded once and read', async ({ client, session }) => {
    const { subscription, usageMeter } = await aShop(client, session);
    const usageEvent = {
      ...{ subscriptionId: subscription.id, usageMeterSlug: 'calls', amount: 3 },
      ...{ transactionId: 'one', properties: { region: 'eu' } },
    };
    const created = await client.usageEvents.create({ usageEvent });
    expect(created.usageEvent).toMatchObject({
      ...{ subscriptionId: subscription.id, usageMeterId: usageMeter.id, amount: 3 },
      ...{ transactionId: 'one', properties: { region: 'eu' } },
    });
    const repeated = await client.usageEvents.create({ usageEvent });
    expect(repeated.usageEvent.id).toBe(created.usageEvent.id);
    const read = await client.usageEvents.retrieve(created.usageEvent.id);
    expect(read.usageEvent).toMatchObject({ id: created.usageEvent.id, amount: 3 });
    const missing = await errorOf(client.usageEvents.retrieve('usage_event_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
  });
});
