import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import {
  aCustomer,
  allowSeveral,
  aProduct,
  aSubscription,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aClockedCustomer, advance, at, eventsOf } from '../../../support/time.ts';

const archive = (session: Session, { externalId }: { externalId: string }) =>
  archiveCustomer(fresh(session), { externalId });

const subscriptionsOf = (session: Session, { id }: { id: string }) =>
  fresh(session).em.find(Subscription, { customer: id });

describe('archiving a customer', () => {
  test('ends every subscription that has not ended, whatever its status, and starts none', async ({
    session,
  }) => {
    await allowSeveral(session);
    const clocked = await aClockedCustomer(session);
    const customerId = clocked.customer.id;
    await aSubscription(session, { customerId, trialEnd: at('2026-02-20') });
    await aSubscription(session, { customerId });
    const scheduled = await aSubscription(session, { customerId, doNotCharge: true });
    await fresh(session).em.nativeUpdate(
      Subscription,
      { id: scheduled.id },
      { scheduledAdjustmentAt: at('2026-02-28') },
    );
    await advance(session, clocked, at('2026-02-10'));
    const before = await subscriptionsOf(session, clocked.customer);
    await archive(session, clocked.customer);
    const after = await subscriptionsOf(session, clocked.customer);
    expect(after).toHaveLength(before.length);
    for (const { id, status } of before) {
      const ended = after.find((one) => one.id === id);
      expect(ended).toMatchObject(
        status === 'canceled'
          ? { cancellationReason: 'upgraded_to_paid', canceledAt: at('2026-01-31') }
          : {
              status: 'canceled',
              cancellationReason: 'customer_archived',
              canceledAt: at('2026-02-10'),
              scheduledAdjustmentAt: null,
            },
      );
    }
    const open = { customerId, expiredAt: null };
    expect(await fresh(session).em.count(SubscriptionItem, open)).toBe(0);
  });

  test('is reported: the subscription first, then the customer, each with what it was', async ({
    session,
  }) => {
    const customer = await aCustomer(session);
    const before = await eventsOf(session, customer);
    await archive(session, customer);
    const events = await eventsOf(session, customer, before);
    expect(events.map(({ type }) => type)).toEqual([
      'subscription.canceled',
      'billing_period.updated',
      'subscription_item.updated',
      'customer.updated',
    ]);
    expect(events[0]?.previousAttributes).toMatchObject({ status: 'active' });
    expect(events[3]).toMatchObject({ previousAttributes: { archived: false } });
  });

  test('frees the external id; the new customer is the one that is found', async ({
    session,
    api,
  }) => {
    const [first, second] = [
      await aCustomer(session, { externalId: 'ada' }),
      await archive(session, { externalId: 'ada' }),
    ];
    expect(second).toMatchObject({ id: first.id, archived: true });
    const again = await aCustomer(session, { externalId: 'ada' });
    expect((await api('GET', '/customers/ada')).body.customer.id).toBe(again.id);
    expect((await archive(session, again)).id).toBe(again.id);
    expect(await fresh(session).em.count(Customer, { externalId: 'ada', archived: true })).toBe(2);
  });

  test('happens once, however many ask for it at once, and each is answered the same', async ({
    session,
  }) => {
    const customer = await aCustomer(session);
    const before = await eventsOf(session, customer);
    const answers = await Promise.all([1, 2, 3, 4].map(() => archive(session, customer)));
    expect(answers.map(({ id, archived }) => [id, archived])).toEqual(
      Array.from({ length: 4 }, () => [customer.id, true]),
    );
    expect(await eventsOf(session, customer, before)).toHaveLength(4);
  });

  test('leaves nothing current, also when a subscription is asked for at the same time', async ({
    session,
  }) => {
    const product = await aProduct(session);
    const priceId = (await product.prices.loadItems())[0]?.id;
    for (const by of ['id', 'externalId', 'id', 'externalId'] as const) {
      const customer = await aCustomer(session);
      const who =
        by === 'id' ? { customerId: customer.id } : { customerExternalId: customer.externalId };
      const [, created] = await Promise.allSettled([
        archive(session, customer),
        createSubscription(fresh(session), { ...who, priceId, doNotCharge: true }),
      ]);
      expect((await subscriptionsOf(session, customer)).filter(({ current }) => current)).toEqual(
        [],
      );
      if (created?.status === 'rejected') {
        expect(created.reason).toMatchObject({ code: 'BAD_REQUEST' });
      }
    }
  });
});
