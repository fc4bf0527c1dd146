import { createHmac } from 'node:crypto';
import { BadRequestError, NotFoundError } from '@flowglad/node';
import {
  FlowgladServer,
  FlowgladServerAdmin,
  RequestHandlerError,
  requestHandler,
  verifyWebhook,
  WebhookVerificationError,
} from '@flowglad/server';
import { describe, expect } from 'vitest';
import { test as base, errorOf, notCalled, serves, watched } from './sdk.ts';
import { aCatalog, aShop } from './shop.ts';

const ada = { externalId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' };
const urls = { successUrl: 'https://example.com/paid', cancelUrl: 'https://example.com/cart' };

const serverOf = (baseURL: string, apiKey: string, customerExternalId = 'ada') =>
  new FlowgladServer({ baseURL, apiKey, customerExternalId, getCustomerDetails: async () => ada });

const test = base
  .extend('server', ({ url, tenant }) => watched('server', serverOf(url, tenant.key)))
  .extend('admin', ({ url, tenant }) =>
    watched('admin', new FlowgladServerAdmin({ baseURL: url, apiKey: tenant.key, maxRetries: 0 })),
  );

describe('FlowgladServer', () => {
  test('finds, creates, changes and archives the customer of a session', async ({
    server,
    url,
    tenant,
  }) => {
    expect(await errorOf(server.getCustomer())).toBeInstanceOf(NotFoundError);
    const created = await server.findOrCreateCustomer();
    expect(created).toMatchObject(ada);
    expect(await server.findOrCreateCustomer()).toEqual(created);
    expect((await server.getCustomer()).customer).toEqual(created);
    expect(await server.getSession()).toMatchObject({ externalId: 'ada' });
    const bySession = watched(
      'server',
      new FlowgladServer({
        ...{ baseURL: url, apiKey: tenant.key, getRequestingCustomer: async () => ada },
      }),
    );
    expect(await bySession.getRequestingCustomerId()).toBe('ada');
    expect((await bySession.getCustomer()).customer).toEqual(created);
    const { customer } = await server.updateCustomer({ customer: { name: 'Countess' } });
    expect(customer).toMatchObject({ id: created.id, name: 'Countess' });
    const other = { ...ada, externalId: 'grace' };
    expect((await server.createCustomer({ customer: other })).data.customer).toMatchObject(other);
    expect(await errorOf(server.createCustomer({ customer: other }))).toBeInstanceOf(
      BadRequestError,
    );
    expect(await server.archiveCustomer('ada')).toMatchObject({ id: created.id, archived: true });
  });

  test('subscribes, adjusts, cancels and uncancels', async ({ server, client, session }) => {
    const { subscription } = await aShop(client, session);
    const adjusted = await server.adjustSubscription({
      ...{ priceSlug: 'team-monthly', timing: 'immediately', subscriptionId: subscription.id },
    });
    expect(adjusted.subscriptionItems).toMatchObject([{ unitPrice: 3_000, quantity: 1 }]);
    const auto = await server.adjustSubscription({
      subscriptionItems: [{ priceSlug: 'team-monthly', quantity: 2 }],
    });
    expect(auto).toMatchObject({ isUpgrade: true, resolvedTiming: 'immediately' });
    const { id } = subscription;
    const scheduled = await server.cancelSubscription({
      ...{ id, cancellation: { timing: 'at_end_of_current_billing_period' } },
    });
    expect(scheduled.subscription.status).toBe('cancellation_scheduled');
    const back = await server.uncancelSubscription({ id });
    expect(back.subscription.status).toBe('active');
    expect(await server.uncancelSubscription({ id })).toMatchObject({
      subscription: { id, status: 'active' },
    });
    await server.cancelSubscription({ id, cancellation: { timing: 'immediately' } });
    const again = await server.createSubscription({ priceSlug: 'pro-monthly' });
    expect(again.subscription).toMatchObject({ name: 'pro', status: 'active' });
  });

  test('shows billing details with what they allow', async ({ server, client, session }) => {
    const { subscription, pro } = await aShop(client, session);
    const billing = await server.getBilling();
    expect(billing.currentSubscription).toMatchObject({ id: subscription.id });
    expect(billing.getProduct('pro')).toMatchObject({ id: pro.id });
    expect(billing.getPrice('pro-monthly')).toMatchObject({ unitPrice: 1_000 });
    expect(billing.getPrice('none')).toBeNull();
    expect(billing.checkFeatureAccess('none')).toBe(false);
    expect(billing.checkUsageBalance('calls')).toBeNull();
    const { pricingModel } = await server.getPricingModel();
    expect(pricingModel.id).toBe(session.pricingModelId);
  });

  test.skipIf(!serves('GET /purchases/{id}'))(
    'tells what was purchased',
    async ({ server, client, session }) => {
      await aShop(client, session);
      const billing = await server.getBilling();
      expect(billing.purchases).toEqual([]);
      expect(billing.hasPurchased('pro')).toBe(false);
      expect(billing.billingPortalUrl).toMatch(/^https?:\/\//);
    },
  );

  test('records usage, singly and in bulk', async ({ server, client, session }) => {
    const { subscription, usageMeter } = await aShop(client, session);
    const event = (transactionId: string) => ({
      ...{ subscriptionId: subscription.id, usageMeterSlug: 'calls', amount: 5, transactionId },
    });
    const { usageEvent } = await server.createUsageEvent(event('one'));
    expect(usageEvent).toMatchObject({ usageMeterId: usageMeter.id, amount: 5 });
    const { usageEvents } = await server.bulkCreateUsageEvents({
      usageEvents: [event('two'), event('three')],
    });
    expect(usageEvents.map(({ transactionId }) => transactionId)).toEqual(['two', 'three']);
    const { usageMeterBalances } = await server.getUsageMeterBalances({
      subscriptionId: subscription.id,
    });
    expect(usageMeterBalances).toMatchObject([{ slug: 'calls', subscriptionId: subscription.id }]);
    const foreign = { ...event('four'), subscriptionId: 'sub_none' };
    expect(await errorOf(server.bulkCreateUsageEvents({ usageEvents: [foreign] }))).toMatchObject({
      message: expect.stringContaining('sub_none is not found'),
    });
  });

  test('claims and releases resources', async ({ server, client, session }) => {
    const { resource } = await aShop(client, session);
    const { claims } = await server.claimResource({ resourceSlug: 'seats', quantity: 3 });
    expect(claims).toHaveLength(3);
    expect(await server.getResourceUsage({ resourceSlug: 'seats' })).toMatchObject({
      usage: { capacity: 10, claimed: 3, available: 7 },
    });
    const { resources } = await server.getResourceUsages();
    expect(resources).toMatchObject([{ resourceId: resource.id, claimed: 3 }]);
    const listed = await server.listResourceClaims({ resourceSlug: 'seats' });
    expect(listed.claims.map(({ id }) => id)).toEqual(claims.map(({ id }) => id));
    const released = await server.releaseResource({ resourceSlug: 'seats', quantity: 2 });
    expect(released.usage).toMatchObject({ claimed: 1, available: 9 });
    const many = errorOf(server.claimResource({ resourceSlug: 'seats', quantity: 11 }));
    expect(await many).toBeInstanceOf(BadRequestError);
  });

  test('takes every combination of optional arguments', async ({ server, client, session }) => {
    const { subscription, resource } = await aShop(client, session);
    const resourceSlug = 'seats';
    for (const own of [{}, { subscriptionId: subscription.id }]) {
      for (const claim of [{ quantity: 1 }, { externalId: 'ada' }, { externalIds: ['b', 'c'] }]) {
        for (const more of [{}, { metadata: { team: 'a' } }]) {
          const { claims } = await server.claimResource({
            resourceSlug,
            ...claim,
            ...own,
            ...more,
          });
          const release =
            'quantity' in claim ? { claimIds: claims.map(({ id }) => id) } : { ...claim };
          await server.releaseResource({ resourceSlug, ...release, ...own });
        }
      }
      const used = { claimed: 0, resourceId: resource.id };
      for (const named of [{ resourceSlug }, { resourceId: resource.id }] as const) {
        const { usage } = await server.getResourceUsage({ ...named, ...own } as never);
        expect(usage).toMatchObject(used);
      }
      expect((await server.getResourceUsages(own)).resources).toMatchObject([used]);
      for (const filter of [own, { ...own, resourceSlug }]) {
        expect((await server.listResourceClaims(filter)).claims).toEqual([]);
      }
      expect((await server.getUsageMeterBalances(own)).usageMeterBalances).toEqual([]);
    }
  });

  test('keeps to the subscriptions of its own customer', async ({
    client,
    session,
    url,
    tenant,
  }) => {
    const { subscription } = await aShop(client, session);
    const stranger = serverOf(url, tenant.key, 'grace');
    await stranger.createCustomer({ customer: { ...ada, externalId: 'grace' } });
    const cancellation = { timing: 'immediately' } as const;
    const refused = errorOf(stranger.cancelSubscription({ id: subscription.id, cancellation }));
    expect(await refused).toMatchObject({ message: expect.stringContaining('not owned') });
  });

  test.skipIf(!serves('POST /checkout-sessions'))(
    'opens checkout sessions',
    async ({ server, client, session }) => {
      await aShop(client, session);
      const bought = await server.createCheckoutSession({
        ...{ priceSlug: 'team-monthly', quantity: 1, ...urls },
      });
      expect(bought.checkoutSession).toMatchObject({ type: 'product', status: 'open' });
      expect(bought.url).toMatch(/^https?:\/\//);
      const added = await server.createAddPaymentMethodCheckoutSession(urls);
      expect(added.checkoutSession).toMatchObject({ type: 'add_payment_method', status: 'open' });
      const targetSubscriptionId = 'sub_none';
      const missing = errorOf(
        server.createActivateSubscriptionCheckoutSession({ ...urls, targetSubscriptionId }),
      );
      expect(await missing).toMatchObject({ status: expect.toBeOneOf([400, 404]) });
    },
  );
});

describe('FlowgladServerAdmin', () => {
  test('manages customers, the catalog and usage', async ({ admin, client, session }) => {
    const { subscription, pro, usageMeter } = await aShop(client, session);
    const created = await admin.createCustomer({ customer: { ...ada, externalId: 'grace' } });
    expect(created.data.customer).toMatchObject({ externalId: 'grace' });
    const { customer } = await admin.updateCustomer('grace', { customer: { name: 'Grace' } });
    expect((await admin.getCustomer('grace')).customer).toEqual(customer);
    expect((await admin.getCustomerBilling('grace')).customer).toEqual(customer);
    const { pricingModel } = await admin.getDefaultPricingModel();
    const read = await admin.getPricingModel(session.pricingModelId);
    expect(read.pricingModel).toEqual(pricingModel);
    const { product } = await admin.createProduct({
      product: { name: 'Max', slug: 'max', active: true, pricingModelId: session.pricingModelId },
      price: {
        ...{ type: 'subscription', unitPrice: 9_000, isDefault: true },
        ...{ intervalUnit: 'month', intervalCount: 1 },
      },
    });
    const updated = await admin.updateProduct(pro.id, {
      product: { id: pro.id, name: 'Pro', active: true },
    });
    expect([product.slug, updated.product.name]).toEqual(['max', 'Pro']);
    const meter = await admin.createUsageMeter({
      usageMeter: { name: 'B', slug: 'bytes', pricingModelId: session.pricingModelId },
    });
    const { id } = meter.usageMeter;
    const renamed = await admin.updateUsageMeter(id, { usageMeter: { id, name: 'Bytes' } });
    expect((await admin.getUsageMeter(id)).usageMeter).toEqual(renamed.usageMeter);
    const event = (transactionId: string) => ({
      ...{ subscriptionId: subscription.id, usageMeterId: usageMeter.id, amount: 1, transactionId },
    });
    const { usageEvent } = await admin.createUsageEvent({ usageEvent: event('one') });
    expect((await admin.getUsageEvent(usageEvent.id)).usageEvent).toMatchObject({ amount: 1 });
    const { usageEvents } = await admin.bulkCreateUsageEvents({
      usageEvents: [event('two'), event('three')],
    });
    expect(usageEvents).toHaveLength(2);
    expect(await errorOf(admin.getCustomer('nobody'))).toBeInstanceOf(NotFoundError);
  });

  test.skipIf(!serves('POST /pricing-models/{id}/clone'))(
    'clones a pricing model',
    async ({ admin, client, session }) => {
      await aCatalog(client, session);
      const { pricingModel } = await admin.clonePricingModel(session.pricingModelId, { name: 'B' });
      expect(pricingModel).toMatchObject({ name: 'B', isDefault: false });
    },
  );
});

describe('The handlers of a web framework', () => {
  test('pass a request of the browser on to the service', async ({
    client,
    session,
    url,
    tenant,
  }) => {
    const { subscription } = await aShop(client, session);
    const handle = requestHandler({
      ...{ apiKey: tenant.key, baseURL: url, getCustomerExternalId: async () => 'ada' },
      flowglad: (externalId) => serverOf(url, tenant.key, externalId),
    });
    const billing = await handle(
      { path: ['customers', 'billing'], method: 'POST' as never, body: { externalId: 'ada' } },
      {},
    );
    expect(billing).toMatchObject({
      status: 200,
      data: { currentSubscription: { id: subscription.id } },
    });
    expect(await handle({ path: ['nothing'], method: 'POST' as never }, {})).toMatchObject({
      status: 404,
    });
    expect(new RequestHandlerError('x').status).toBe(400);
  });
});

describe('Webhooks', () => {
  test('verifies a signature and refuses another', () => {
    const secret = Buffer.from('an obviously fake secret').toString('base64');
    const payload = '{"type":"customer.created"}';
    const timestamp = `${Math.floor(Date.now() / 1_000)}`;
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`event_1.${timestamp}.${payload}`)
      .digest('base64');
    const headers = { 'svix-id': 'event_1', 'svix-timestamp': timestamp };
    const verify = (signed: string) =>
      verifyWebhook(payload, { ...headers, 'svix-signature': `v1,${signed}` }, `whsec_${secret}`);
    expect(verify(signature)).toEqual({ type: 'customer.created' });
    expect(() => verify('AAAA')).toThrow(WebhookVerificationError);
  });
});

test('every method of both classes is called', ({ server, admin }) => {
  const unserved = [
    ...(serves('POST /checkout-sessions') ? [] : [/CheckoutSession$/]),
    ...(serves('POST /pricing-models/{id}/clone') ? [] : [/\.clonePricingModel$/]),
    // A private method of the class, which its other methods call.
    /\.deriveSubscriptionId$/,
  ];
  const left = notCalled([
    ['server', server],
    ['admin', admin],
  ]);
  expect(left.filter((name) => !unserved.some((one) => one.test(name)))).toEqual([]);
});
