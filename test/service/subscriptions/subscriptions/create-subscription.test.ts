import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import {
  aCreditGrant,
  aCustomer,
  aPaymentMethod,
  aPricingModel,
  aProduct,
  aSubscription,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, at, eventsOf } from '../../../support/time.ts';

/** The periods of a subscription with what is charged for in each. */
const periodsOf = (session: Session, { id }: Subscription) =>
  fresh(session).em.find(
    BillingPeriod,
    { subscription: id },
    { populate: ['items'], orderBy: { startDate: 'asc' } },
  );

const issue = (path: string, message: RegExp) =>
  expect.objectContaining({
    code: 'BAD_REQUEST',
    issues: [expect.objectContaining({ path: [path], message: expect.stringMatching(message) })],
  });

describe('a new subscription', () => {
  test('is active with a payment method, and its first period is charged for', async ({
    session,
  }) => {
    const { customer } = await aClockedCustomer(session);
    const { id } = await aPaymentMethod(session, customer.id);
    const subscription = await aSubscription(session, {
      customerId: customer.id,
      defaultPaymentMethodId: id,
      quantity: 2,
    });
    expect(subscription).toMatchObject({ status: 'active', defaultPaymentMethodId: id });
    const [period, ...more] = await periodsOf(session, subscription);
    expect(more).toEqual([]);
    expect(period).toMatchObject({
      startDate: at('2026-01-31'),
      endDate: at('2026-02-28'),
      status: 'active',
      trialPeriod: false,
    });
    expect(period?.items.getItems()).toMatchObject([
      { name: 'Pro', unitPrice: 1_000, quantity: 2, priceId: subscription.priceId },
    ]);
  });

  test('is incomplete without a payment method, and has no period', async ({ session }) => {
    const { id } = await aSubscription(session);
    const subscription = await fresh(session).em.findOneOrFail(Subscription, id);
    expect(subscription).toMatchObject({
      status: 'incomplete',
      currentBillingPeriodStart: null,
      currentBillingPeriodEnd: null,
    });
    expect(await periodsOf(session, subscription)).toEqual([]);
    expect(await subscription.items.loadItems()).toHaveLength(1);
  });

  test('keeps the customer’s default payment method, begins, and is incomplete until that has paid', async ({
    session,
  }) => {
    const customer = await aCustomer(session);
    const { id } = await aPaymentMethod(session, customer.id, { token: 'sandbox_slow' });
    const subscription = await aSubscription(session, { customerId: customer.id });
    expect(subscription).toMatchObject({ status: 'incomplete', defaultPaymentMethodId: id });
    expect(await periodsOf(session, subscription)).toHaveLength(1);
  });

  test('that is given away is active, has no payment method, and costs 0 though its price does not', async ({
    session,
  }) => {
    const customer = await aCustomer(session);
    await aPaymentMethod(session, customer.id);
    const subscription = await aSubscription(session, {
      customerId: customer.id,
      doNotCharge: true,
    });
    expect(subscription).toMatchObject({
      status: 'active',
      isFreePlan: false,
      doNotCharge: true,
      defaultPaymentMethodId: null,
    });
    const [period] = await periodsOf(session, subscription);
    expect(period?.items.getItems()).toMatchObject([{ unitPrice: 0, quantity: 1 }]);
    expect((await subscription.price.loadOrFail()).unitPrice).toBe(1_000);
  });

  test('grants what its product does, credits for each of its quantity, with an event each', async ({
    session,
  }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const [toggle, credits] = [await aToggle(session), await aCreditGrant(session, usageMeterId)];
    const customer = await aCustomer(session);
    const before = await eventsOf(session, customer);
    const subscription = await aSubscription(session, {
      customerId: customer.id,
      doNotCharge: true,
      quantity: 3,
      featureIds: [toggle.id, credits.id],
    });
    const granted = await fresh(session).em.find(
      SubscriptionItemFeature,
      { subscriptionId: subscription.id },
      { orderBy: { type: 'asc' } },
    );
    expect(granted).toMatchObject([
      { type: 'toggle', amount: null },
      { type: 'usage_credit_grant', amount: 300, usageMeterId },
    ]);
    const events = await eventsOf(session, customer, before);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'subscription_item_feature.created')).toHaveLength(2);
    expect(types.indexOf('subscription.created')).toBeLessThan(
      types.indexOf('subscription_item.created'),
    );
    expect(types.indexOf('subscription_item.created')).toBeLessThan(
      types.indexOf('subscription_item_feature.created'),
    );
    expect(types).not.toContain('subscription.canceled');
  });

  test('does not grant what its product has ceased to', async ({ api, session }) => {
    const [gone, off] = [await aToggle(session), await aToggle(session)];
    const product = await aProduct(session, { featureIds: [gone.id, off.id] });
    await api('PUT', `/features/${off.id}`, { feature: { active: false } });
    await api('PUT', `/products/${product.id}`, { product: {}, featureIds: [] });
    const priceId = (await product.prices.loadItems())[0]?.id;
    const { id } = await aSubscription(session, { priceId });
    expect(await fresh(session).em.count(SubscriptionItemFeature, { subscriptionId: id })).toBe(0);
  });

  test('goes by the interval that is asked for, else by that of its price', async ({ session }) => {
    const { customer } = await aClockedCustomer(session, at('2024-02-29'));
    const subscription = await aSubscription(session, {
      customerId: customer.id,
      doNotCharge: true,
      interval: 'year',
      intervalCount: 2,
    });
    expect(subscription).toMatchObject({
      interval: 'year',
      intervalCount: 2,
      currentBillingPeriodEnd: at('2026-02-28'),
    });
  });

  test('may begin in the future or in the past', async ({ session }) => {
    for (const startDate of [at('2026-03-01'), at('2026-01-01')]) {
      const { customer } = await aClockedCustomer(session);
      expect(
        await aSubscription(session, { customerId: customer.id, doNotCharge: true, startDate }),
      ).toMatchObject({
        createdAt: at('2026-01-31'),
        startDate,
        currentBillingPeriodStart: startDate,
        billingCycleAnchorDate: startDate,
      });
    }
  });

  test('begins at most 1,000 periods back, and not when its period ends after the last year', async ({
    session,
  }) => {
    const startDate = new Date(Date.now() - 80 * 365 * 86_400_000);
    const begun = await aSubscription(session, { startDate, doNotCharge: true });
    expect(begun.startDate).toEqual(startDate);
    const tooOld = { startDate: new Date('0001-01-01T00:00:00Z'), doNotCharge: true };
    await expect(aSubscription(session, tooOld)).rejects.toEqual(
      issue('startDate', /at most 1000 billing periods in the past/),
    );
    const late = { startDate: new Date('9999-12-01T00:00:00Z'), doNotCharge: true };
    await expect(aSubscription(session, late)).rejects.toEqual(
      issue('intervalCount', /after the year 9999/),
    );
  });
});

describe('a default product that is paid once', () => {
  test('gives a subscription that is active for good, without interval and periods', async ({
    session,
  }) => {
    const model = await aPricingModel(session);
    const { id } = await aCustomer(model);
    const plan = await fresh(model).em.findOneOrFail(Subscription, { customer: id });
    expect(plan).toMatchObject({
      status: 'active',
      renews: false,
      isFreePlan: true,
      interval: null,
      intervalCount: null,
      billingCycleAnchorDate: null,
      currentBillingPeriodStart: null,
      currentBillingPeriodEnd: null,
      trialEnd: null,
      runBillingAtPeriodStart: false,
      transitionDueAt: null,
    });
    expect(await periodsOf(model, plan)).toEqual([]);
  });
});
