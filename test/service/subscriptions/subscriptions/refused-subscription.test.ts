import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import {
  aCreditGrant,
  aCustomer,
  aOneTimeProduct,
  aPaymentMethod,
  aProduct,
  aSubscription,
  aUsageMeter,
  aUsagePrice,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { eventsOf } from '../../../support/time.ts';

const issue = (path: string, message: RegExp) =>
  expect.objectContaining({
    code: 'BAD_REQUEST',
    issues: [expect.objectContaining({ path: [path], message: expect.stringMatching(message) })],
  });

const conflict = (message: RegExp) =>
  expect.objectContaining({ code: 'CONFLICT', message: expect.stringMatching(message) });

describe('nothing is written when it is refused', () => {
  const counts = async (session: Session) => {
    const { em } = fresh(session);
    const tables = [Subscription, SubscriptionItem, BillingPeriod, SubscriptionItemFeature];
    return Promise.all(tables.map((table) => em.count(table as typeof Subscription)));
  };

  test('for a price of usage, one that is paid once, and one of an inactive product', async ({
    api,
    session,
  }) => {
    const customerId = (await aCustomer(session)).id;
    const [once] = await (await aOneTimeProduct(session)).prices.loadItems();
    const usage = await aUsagePrice(session, (await aUsageMeter(session)).id);
    const product = await aProduct(session);
    const [old] = await product.prices.loadItems();
    await api('PUT', `/products/${product.id}`, { product: { active: false } });
    const before = await counts(session);
    for (const [price, message] of [
      [once, /is a single-payment price/],
      [usage, /is a usage price/],
      [old, /is of a product that is not active/],
    ] as const) {
      await expect(aSubscription(session, { customerId, priceId: price?.id })).rejects.toEqual(
        issue('priceId', message),
      );
    }
    expect(await counts(session)).toEqual(before);
  });

  test('for the payment method of another customer, or one that is detached', async ({
    api,
    session,
  }) => {
    const customerId = (await aCustomer(session)).id;
    const foreign = await aPaymentMethod(session, (await aCustomer(session)).id);
    const detached = await aPaymentMethod(session, customerId);
    await api('POST', `/payment-methods/${detached.id}/detach`);
    const before = await counts(session);
    for (const path of ['defaultPaymentMethodId', 'backupPaymentMethodId'] as const) {
      await expect(aSubscription(session, { customerId, [path]: foreign.id })).rejects.toEqual(
        issue(path, /Unknown payment method .* of customer/),
      );
      await expect(aSubscription(session, { customerId, [path]: detached.id })).rejects.toEqual(
        issue(path, /is detached/),
      );
    }
    expect(await counts(session)).toEqual(before);
  });

  test('for more credits than can be counted, which frees the plan that was to give way', async ({
    session,
  }) => {
    const credits = await aCreditGrant(session, (await aUsageMeter(session)).id);
    const customer = await aCustomer(session);
    const before = await counts(session);
    await expect(
      aSubscription(session, {
        customerId: customer.id,
        unitPrice: 1,
        quantity: Math.floor(Number.MAX_SAFE_INTEGER / 2),
        featureIds: [credits.id],
      }),
    ).rejects.toEqual(issue('quantity', /exceeds the maximum amount of feature/));
    expect(await counts(session)).toEqual(before);
    const [plan] = await fresh(session).em.find(Subscription, { customer: customer.id });
    expect(plan?.status).toBe('active');
  });

  test('for an archived customer', async ({ api, session }) => {
    const { id: customerId, externalId } = await aCustomer(session);
    await api('POST', `/customers/${externalId}/archive`);
    await expect(aSubscription(session, { customerId })).rejects.toEqual(
      issue('customerId', /is archived/),
    );
  });

  test('for a customer who is subscribed already', async ({ session }) => {
    const customer = await aCustomer(session);
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    const before = await counts(session);
    const events = await eventsOf(session, customer);
    for (const again of [{ doNotCharge: true }, {}, { unitPrice: 0 }]) {
      await expect(aSubscription(session, { customerId: customer.id, ...again })).rejects.toEqual(
        conflict(new RegExp(`is already subscribed: cancel ${id}`)),
      );
    }
    expect(await counts(session)).toEqual(before);
    expect(await eventsOf(session, customer, events)).toEqual([]);
  });
});
