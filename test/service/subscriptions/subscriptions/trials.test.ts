import { describe, expect } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import {
  allowSeveral,
  aPaymentMethod,
  aProduct,
  aSubscription,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at, eventsOf } from '../../../support/time.ts';

/** The price of a product that is tried for two weeks. */
async function aTrialPrice(session: Session) {
  const { id: productId } = await aProduct(session);
  return createPrice(fresh(session), {
    price: {
      type: 'subscription',
      productId,
      unitPrice: 1_000,
      intervalUnit: 'month',
      trialPeriodDays: 14,
      isDefault: true,
    },
  });
}

const read = (session: Session, id: string) => fresh(session).em.findOneOrFail(Subscription, id);

describe('the one trial of a customer', () => {
  test.for([
    ['of a free price', { unitPrice: 0 }],
    ['of what is given away', { doNotCharge: true }],
  ] as const)('is not used up by a trial %s', async ([_, terms], { session }) => {
    await allowSeveral(session);
    const clocked = await aClockedCustomer(session);
    const { id: customerId } = clocked.customer;
    // In place of the free plan that every customer has.
    await aSubscription(session, { customerId, doNotCharge: true });
    const trialEnd = at('2026-02-07');
    const free = await aSubscription(session, { customerId, trialEnd, ...terms });
    expect(free).toMatchObject({ trialEnd });
    const paid = await aSubscription(session, { customerId, trialEnd });
    expect(paid).toMatchObject({ status: 'trialing', trialEnd });
    const again = await aSubscription(session, { customerId, trialEnd });
    expect(again).toMatchObject({ trialEnd: null });
  });
});

describe('a trial', () => {
  test('lasts as long as the price states, without a payment method, and charges nothing', async ({
    api,
    session,
  }) => {
    const { customer } = await aClockedCustomer(session);
    const { id: priceId } = await aTrialPrice(session);
    const { id } = await aSubscription(session, { customerId: customer.id, priceId });
    expect(await read(session, id)).toMatchObject({
      status: 'trialing',
      trialEnd: at('2026-02-14'),
      currentBillingPeriodStart: at('2026-01-31'),
      currentBillingPeriodEnd: at('2026-02-14'),
    });
    const { data } = (await api('GET', `/billing-periods?subscriptionId=${id}`)).body;
    expect(data).toMatchObject([{ trialPeriod: true, status: 'active' }]);
  });

  test('ends when it is asked to, in place of the price’s days', async ({ session }) => {
    const { customer } = await aClockedCustomer(session);
    const { id: priceId } = await aTrialPrice(session);
    const trialEnd = at('2026-02-01');
    expect(
      await aSubscription(session, { customerId: customer.id, priceId, trialEnd }),
    ).toMatchObject({ status: 'trialing', trialEnd, currentBillingPeriodEnd: trialEnd });
  });

  test('gives way to what is given away, and comes before incomplete', async ({ session }) => {
    const { customer } = await aClockedCustomer(session);
    const { id: priceId } = await aTrialPrice(session);
    const given = { customerId: customer.id, priceId, doNotCharge: true };
    expect((await aSubscription(session, given)).status).toBe('active');
  });

  test('is had once ever, also when the first one was canceled or is asked for by its end', async ({
    api,
    session,
  }) => {
    const { customer } = await aClockedCustomer(session);
    const { id: priceId } = await aTrialPrice(session);
    const { id } = await aSubscription(session, { customerId: customer.id, priceId });
    const cancellation = { timing: 'immediately' };
    await api('POST', `/subscriptions/${id}/cancel`, { cancellation });
    for (const trialEnd of [undefined, at('2027-01-01')]) {
      const again = await aSubscription(session, { customerId: customer.id, priceId, trialEnd });
      expect(await read(session, again.id)).toMatchObject({ status: 'incomplete', trialEnd: null });
    }
  });

  test('is had by one of several that are asked for in parallel', async ({ session }) => {
    const { customer } = await aClockedCustomer(session);
    const { id: priceId } = await aTrialPrice(session);
    await allowSeveral(session);
    await Promise.all(
      [1, 2, 3, 4].map(() =>
        createSubscription(fresh(session), { customerId: customer.id, priceId }),
      ),
    );
    const tried = { customer: customer.id, trialEnd: { $ne: null } };
    expect(await fresh(session).em.count(Subscription, tried)).toBe(1);
  });

  test('is followed by a paid period that is counted from its end', async ({ api, session }) => {
    const clocked = await aClockedCustomer(session);
    const { id: priceId } = await aTrialPrice(session);
    const { id: defaultPaymentMethodId } = await aPaymentMethod(session, clocked.customer.id);
    const { id } = await aSubscription(session, {
      customerId: clocked.customer.id,
      priceId,
      defaultPaymentMethodId,
      trialEnd: at('2026-03-31'),
    });
    const before = await eventsOf(session, clocked.customer);
    await advance(session, clocked, at('2026-03-31'));
    expect(await read(session, id)).toMatchObject({
      status: 'active',
      billingCycleAnchorDate: at('2026-01-31'),
      currentBillingPeriodStart: at('2026-03-31'),
      currentBillingPeriodEnd: at('2026-04-30'),
    });
    const events = await eventsOf(session, clocked.customer, before);
    expect(
      events.find(({ objectId, type }) => objectId === id && !/ending/.test(type)),
    ).toMatchObject({
      type: 'subscription.trial_ended',
      previousAttributes: {
        status: 'trialing',
        currentBillingPeriodStart: at('2026-01-31').getTime(),
        currentBillingPeriodEnd: at('2026-03-31').getTime(),
      },
    });
    await advance(session, clocked, at('2026-05-01'));
    expect(await read(session, id)).toMatchObject({ currentBillingPeriodEnd: at('2026-05-31') });
    const { data } = (await api('GET', `/billing-periods?subscriptionId=${id}`)).body;
    expect(data.map(({ trialPeriod }: { trialPeriod: boolean }) => trialPeriod)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is followed by past_due when nothing can pay', async ({ session }) => {
    const clocked = await aClockedCustomer(session);
    const { id: priceId } = await aTrialPrice(session);
    const { id } = await aSubscription(session, { customerId: clocked.customer.id, priceId });
    await advance(session, clocked, at('2026-02-14'));
    expect(await read(session, id)).toMatchObject({
      status: 'past_due',
      currentBillingPeriodStart: at('2026-02-14'),
    });
  });
});
