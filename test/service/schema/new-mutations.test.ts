// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Event } from '#domain/model/platform/event.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import {
  aCreditGrant,
  aCustomer,
  aPaymentMethod,
  aSubscription,
  aUsageMeter,
  aWebhook,
  fresh,
} from '../../support/factories.ts';
import { seeded } from '../../support/seeded.ts';
import { test } from '../../support/test.ts';
import { aClockedCustomer, advance, at } from '../../support/time.ts';

const day = (date: string) => at(date).getTime();
const dry = { headers: { prefer: 'dry-run' } };
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

/** The events of an object since a count of them, the oldest first. */
async function eventsOf(session: Session, objectId: string) {
  return fresh(session).em.find(Event, { objectId }, { orderBy: { position: 'asc' } });
}

describe('updateSubscription', () => {
  const document = `mutation ($id: ID!, $subscription: UpdateSubscriptionInput!) {
    updateSubscription(id: $id, subscription: $subscription) {
      subscription { id name metadata trialEnd currentBillingPeriodEnd billingCycleAnchorDate status
        defaultPaymentMethodId backupPaymentMethodId }
    }
  }`;

  test('changes name and metadata, by the actor of the key; null removes metadata, and absent fields stay', async ({
    graphql,
    session,
  }) => {
    const { id } = await aSubscription(session, { metadata: { a: 1 }, doNotCharge: true });
    const change = async (subscription: object, options = {}) =>
      graphql(document, { id, subscription }, options);
    const named = await change({ name: 'Gold' }, keyed('a'));
    expect(named.data.updateSubscription.subscription).toMatchObject({
      name: 'Gold',
      metadata: { a: 1 },
    });
    const events = await eventsOf(session, id);
    expect(events.at(-1)).toMatchObject({
      type: 'subscription.updated',
      actorType: 'api_key',
      actorId: session.apiKeyId,
      previousAttributes: { name: expect.any(String) },
    });
    const repeat = await change({ name: 'Gold' }, keyed('a'));
    expect(repeat.extensions).toEqual({ idempotentReplayed: true });
    const planned = await change({ metadata: null, name: 'Not kept' }, dry);
    expect(planned.data.updateSubscription.subscription.metadata).toBeNull();
    expect(planned.extensions.effects.events).toMatchObject([{ type: 'subscription.updated' }]);
    expect(await eventsOf(session, id)).toHaveLength(events.length);
    const removed = await change({ metadata: null, name: null });
    expect(removed.data.updateSubscription.subscription).toMatchObject({
      name: 'Gold',
      metadata: null,
    });
  });

  test.for([
    ['later', '2026-02-20'],
    ['earlier', '2026-02-03'],
  ] as const)(
    'moves the end of a trial %s: credits and the first charge move with it',
    async ([, end], { graphql, session }) => {
      const { customer, clock } = await aClockedCustomer(session);
      await aPaymentMethod(session, customer.id);
      const meter = await aUsageMeter(session);
      const grant = await aCreditGrant(session, meter.id);
      const { id } = await aSubscription(session, {
        customerId: customer.id,
        trialEnd: at('2026-02-10'),
        featureIds: [grant.id],
      });
      const { data } = await graphql(document, { id, subscription: { trialEnd: day(end) } });
      expect(data.updateSubscription.subscription).toMatchObject({
        status: 'trialing',
        trialEnd: day(end),
        currentBillingPeriodEnd: day(end),
      });
      const { em } = fresh(session);
      const [credit] = await em.find(UsageCredit, { usageMeterId: meter.id } as never);
      expect(credit?.expiresAt).toEqual(at(end));
      const before = new Date(at(end).getTime() - 1);
      await advance(session, { clock }, before);
      expect(await fresh(session).em.count(Payment)).toBe(0);
      await advance(session, { clock }, at(end));
      const [paid, ...more] = await fresh(session).em.find(Invoice, { status: 'paid' });
      expect([paid?.total, more]).toEqual([1_000, []]);
      const periods = await fresh(session).em.find(
        BillingPeriod,
        { subscription: id },
        { orderBy: { startDate: 'asc' } },
      );
      const [, first] = periods;
      expect(periods.map(({ trialPeriod }) => trialPeriod)).toEqual([true, false]);
      expect(first?.startDate).toEqual(at(end));
      expect(first?.endDate).toEqual(at(end.replace('-02-', '-03-')));
      const again = await graphql(document, { id, subscription: { trialEnd: day('2026-06-01') } });
      expect(again.errors[0].extensions.issues).toMatchObject([
        { code: 'INVALID_STATE', path: ['subscription', 'trialEnd'] },
      ]);
    },
  );

  test('however the end of a trial is moved, periods follow without a gap and each paid one is charged once', async ({
    session,
  }) => {
    const hour = 3_600_000;
    const start = at('2026-01-31').getTime();
    const moves = fc.array(
      fc.record({
        waits: fc.integer({ min: 0, max: 200 }),
        ends: fc.integer({ min: -10, max: 400 }),
      }),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(moves, async (moves) => {
        const { customer, clock } = await aClockedCustomer(session);
        await aPaymentMethod(session, customer.id);
        let end = start + 100 * hour;
        const trial = { customerId: customer.id, trialEnd: new Date(end) };
        const { id } = await aSubscription(session, trial);
        let now = start;
        for (const { waits, ends } of moves) {
          now += waits * hour;
          await advance(session, { clock }, new Date(now));
          const wanted = now + ends * hour;
          const change = { id, subscription: { trialEnd: new Date(wanted) } };
          const moved = updateSubscription(fresh(session), change);
          if (now < end && wanted > now) {
            await moved;
            end = wanted;
          } else await expect(moved).rejects.toMatchObject({ code: 'BAD_REQUEST' });
        }
        now = Math.max(now, end) + 40 * 24 * hour;
        await advance(session, { clock }, new Date(now));
        const { em } = fresh(session);
        const periods = await em.find(
          BillingPeriod,
          { subscription: id },
          { orderBy: { startDate: 'asc' } },
        );
        expect(periods[0]).toMatchObject({ trialPeriod: true, endDate: new Date(end) });
        for (const [place, { startDate }] of periods.entries()) {
          if (place > 0) expect(startDate).toEqual(periods[place - 1]?.endDate);
        }
        expect(periods.at(-1)?.endDate.getTime()).toBeGreaterThan(now);
        const paid = periods.filter(({ trialPeriod }) => !trialPeriod);
        const payments = await em.find(Payment, { customerId: customer.id });
        expect(payments.map(({ amount, status }) => [amount, status])).toEqual(
          paid.map(() => [1_000, 'succeeded']),
        );
      }),
      seeded('trial-ends', { numRuns: 4 }),
    );
  });

  test('moves the billing anchor of what is not charged, from the next period on', async ({
    graphql,
    session,
  }) => {
    const { customer, clock } = await aClockedCustomer(session);
    const [free] = await fresh(session).em.find(Subscription, { customer: customer.id });
    const id = free?.id ?? '';
    const move = (date: string) =>
      graphql(document, { id, subscription: { billingCycleAnchorDate: day(date) } });
    const end = free?.currentBillingPeriodEnd as Date;
    expect(end).toEqual(at('2026-02-28'));
    for (const wrong of ['2026-02-27', '2026-03-29']) {
      expect((await move(wrong)).errors[0].extensions.issues).toMatchObject([
        { code: 'OUT_OF_RANGE', path: ['subscription', 'billingCycleAnchorDate'] },
      ]);
    }
    const { data } = await move('2026-03-15');
    expect(data.updateSubscription.subscription).toMatchObject({
      billingCycleAnchorDate: day('2026-03-15'),
      currentBillingPeriodEnd: end.getTime(),
    });
    await advance(session, { clock }, at('2026-04-20'));
    const periods = await fresh(session).em.find(
      BillingPeriod,
      { subscription: id },
      { orderBy: { startDate: 'asc' } },
    );
    expect(periods.map(({ endDate }) => endDate)).toEqual(
      ['2026-02-28', '2026-03-15', '2026-04-15', '2026-05-15'].map(at),
    );
  });

  test('takes another payment method, which the next billing round charges for what is owed', async ({
    graphql,
    session,
  }) => {
    const { customer, clock } = await aClockedCustomer(session);
    await aPaymentMethod(session, customer.id);
    const { id } = await aSubscription(session, { customerId: customer.id });
    const token = 'sandbox_decline_insufficient_funds';
    await aPaymentMethod(session, customer.id, { token, default: true });
    await advance(session, { clock }, at('2026-02-28'));
    const owing = await fresh(session).em.findOneOrFail(Subscription, id);
    expect(owing.status).toBe('past_due');
    const good = await aPaymentMethod(session, customer.id);
    const other = await aPaymentMethod(session, (await aCustomer(session)).id);
    const foreign = await graphql(document, {
      id,
      subscription: { defaultPaymentMethodId: other.id },
    });
    expect(foreign.errors[0].extensions.issues).toMatchObject([
      { code: 'NOT_FOUND', path: ['subscription', 'defaultPaymentMethodId'] },
    ]);
    const subscription = { defaultPaymentMethodId: good.id, backupPaymentMethodId: good.id };
    const { data } = await graphql(document, { id, subscription });
    expect(data.updateSubscription.subscription).toMatchObject(subscription);
    await advance(session, { clock }, new Date(at('2026-02-28').getTime() + 60_000));
    expect(await fresh(session).em.findOneOrFail(Subscription, id)).toMatchObject({
      status: 'active',
    });
    const removed = await graphql(document, { id, subscription: { backupPaymentMethodId: null } });
    expect(removed.data.updateSubscription.subscription).toMatchObject({
      defaultPaymentMethodId: good.id,
      backupPaymentMethodId: null,
    });
  });

  test('begins an incomplete subscription with its first payment method', async ({
    graphql,
    session,
  }) => {
    const { customer, clock } = await aClockedCustomer(session);
    const { id, status } = await aSubscription(session, { customerId: customer.id });
    expect(status).toBe('incomplete');
    const spare = await aPaymentMethod(session, customer.id);
    // It has begun with the customer's first payment method already.
    await graphql(document, { id, subscription: { defaultPaymentMethodId: spare.id } });
    await advance(session, { clock }, new Date(at('2026-01-31').getTime() + 60_000));
    expect((await fresh(session).em.findOneOrFail(Subscription, id)).status).toBe('active');
    expect(await fresh(session).em.count(Payment, { status: 'succeeded' })).toBe(1);
  });

  test('of an ended subscription changes what is only shown, and of one never charged no payment method', async ({
    graphql,
    session,
  }) => {
    const { id, customerId } = await aSubscription(session, { doNotCharge: true });
    const method = await aPaymentMethod(session, customerId);
    const change = (subscription: object) => graphql(document, { id, subscription });
    const charged = await change({ defaultPaymentMethodId: method.id });
    expect(charged.errors[0].extensions.issues).toMatchObject([{ code: 'NOT_ALLOWED' }]);
    await graphql(
      `mutation { cancelSubscription(id: "${id}", cancellation: { timing: immediately }) { subscription { id } } }`,
    );
    const { data } = await change({ name: 'Former', metadata: { left: true } });
    expect(data.updateSubscription.subscription).toMatchObject({ name: 'Former' });
    const late = await change({ trialEnd: Date.now() + 1e9 });
    expect(late.errors[0].extensions.issues).toMatchObject([
      { code: 'INVALID_STATE', path: ['subscription', 'trialEnd'] },
    ]);
    const wrong = await change({ name: '', metadata: { a: 'x'.repeat(501) } });
    expect(wrong.errors[0].extensions.issues).toMatchObject([
      { code: 'TOO_SHORT', path: ['subscription', 'name'] },
      { code: 'TOO_LONG', path: ['subscription', 'metadata', 'a'] },
    ]);
  });
});

describe('deleteWebhook', () => {
  const document = 'mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { id } } }';

  test('ends pending deliveries, notifies the other webhooks, and later events go to those only', async ({
    graphql,
    session,
  }) => {
    const [{ webhook: gone }, { webhook: stays }] = [
      await aWebhook(session, { filterTypes: ['customer.created', 'webhook.deleted'] } as object),
      await aWebhook(session, { filterTypes: ['customer.created', 'webhook.deleted'] } as object),
    ];
    await aCustomer(session);
    const deliveries = async () => {
      const { em } = fresh(session);
      await sequenceEvents(em);
      const found = await em.find(WebhookDelivery, {}, { orderBy: { sequence: 'asc' } });
      return found.map(({ webhookId, eventType }) => [webhookId, eventType]);
    };
    expect(await deliveries()).toHaveLength(2);
    const planned = await graphql(document, { id: gone.id }, dry);
    expect(planned.data).toEqual({ deleteWebhook: { webhook: { id: gone.id } } });
    expect(await deliveries()).toHaveLength(2);
    const first = await graphql(document, { id: gone.id }, keyed('a'));
    expect(first.data).toEqual({ deleteWebhook: { webhook: { id: gone.id } } });
    expect((await graphql(document, { id: gone.id }, keyed('a'))).data).toEqual(first.data);
    await aCustomer(session);
    expect(await deliveries()).toEqual([
      [stays.id, 'customer.created'],
      [stays.id, 'webhook.deleted'],
      [stays.id, 'customer.created'],
    ]);
    const last = (await eventsOf(session, gone.id)).at(-1);
    expect(last).toMatchObject({
      type: 'webhook.deleted',
      objectVersion: gone.version + 1,
      actorType: 'api_key',
      data: { id: gone.id, url: gone.url },
    });
    expect(JSON.stringify(last?.data)).not.toContain('secret');
    expect(await fresh(session).em.findOne(Webhook, gone.id)).toBeNull();
    const again = await graphql(document, { id: gone.id });
    expect(again.errors[0].extensions.code).toBe('NOT_FOUND');
    const { data } = await graphql('{ webhooks { totalCount } }');
    expect(data.webhooks.totalCount).toBe(1);
  });

  test('at the same time as events are sequenced neither fails', async ({ graphql, session }) => {
    const hooks = [];
    for (let turn = 0; turn < 5; turn++) hooks.push((await aWebhook(session)).webhook.id);
    const results = await Promise.all([
      ...hooks.map((id) => graphql(document, { id })),
      ...hooks.map(async () => {
        await aCustomer(session);
        await sequenceEvents(fresh(session).em);
        return {};
      }),
    ]);
    for (const { errors } of results) expect(errors).toBeUndefined();
    expect(await fresh(session).em.count(WebhookDelivery)).toBe(0);
  });
});

describe('updatePaymentMethod', () => {
  const document = `mutation ($id: ID!, $paymentMethod: UpdatePaymentMethodInput!) {
    updatePaymentMethod(id: $id, paymentMethod: $paymentMethod) {
      paymentMethod { default metadata billingDetails { name email address { line1 city country address { city } } } }
    }
  }`;

  test('changes details and metadata, and emits payment_method.updated', async ({
    graphql,
    session,
  }) => {
    const { id } = await aPaymentMethod(session, (await aCustomer(session)).id);
    const change = async (paymentMethod: object, options = {}) =>
      (await graphql(document, { id, paymentMethod }, options)).data.updatePaymentMethod
        .paymentMethod;
    const details = { name: 'Eve', address: { line1: 'Road 1', country: 'CH' } };
    expect(await change({ billingDetails: details, metadata: { a: 1 } })).toEqual({
      default: true,
      metadata: { a: 1 },
      billingDetails: {
        name: 'Eve',
        email: 'ada@example.com',
        address: { line1: 'Road 1', city: null, country: 'CH', address: { city: null } },
      },
    });
    expect((await eventsOf(session, id)).at(-1)).toMatchObject({
      type: 'payment_method.updated',
      actorType: 'api_key',
      previousAttributes: { metadata: null, billingDetails: { name: 'Ada' } },
    });
    expect((await change({ metadata: null }, dry)).metadata).toBeNull();
    const kept = await change({ billingDetails: { email: 'eve@example.com' } });
    expect(kept).toMatchObject({
      metadata: { a: 1 },
      billingDetails: { name: 'Eve', address: { line1: 'Road 1' } },
    });
    const wrong = await graphql(document, {
      id,
      paymentMethod: { billingDetails: { address: { country: 'Swiss' } } },
    });
    expect(wrong.errors[0].extensions.issues).toMatchObject([
      { code: 'INVALID', path: ['paymentMethod', 'billingDetails', 'address', 'country'] },
    ]);
  });

  test('makes the default; the default is not unset, and a detached one does not change', async ({
    graphql,
    session,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const first = await aPaymentMethod(session, customerId);
    const second = await aPaymentMethod(session, customerId);
    const change = (id: string, value: boolean) =>
      graphql(document, { id, paymentMethod: { default: value } });
    expect((await change(second.id, true)).data.updatePaymentMethod.paymentMethod.default).toBe(
      true,
    );
    expect((await change(second.id, false)).errors[0].extensions.issues).toMatchObject([
      { code: 'IMMUTABLE', path: ['paymentMethod', 'default'] },
    ]);
    expect((await change(first.id, false)).errors).toBeUndefined();
    await graphql('mutation ($id: ID!) { detachPaymentMethod(id: $id) { paymentMethod { id } } }', {
      id: first.id,
    });
    expect((await change(first.id, true)).errors[0].extensions.issues).toMatchObject([
      { code: 'ARCHIVED', path: ['id'] },
    ]);
  });
});

describe('unarchiveCustomer', () => {
  const document = `mutation ($id: ID!) {
    unarchiveCustomer(id: $id) { customer { id archived externalId } subscription { status isFreePlan } }
  }`;
  const archive = (externalId: string) =>
    `mutation { archiveCustomer(externalId: "${externalId}") { customer { id } } }`;

  test('restores a customer on the free plan; its former subscriptions stay ended', async ({
    graphql,
    session,
  }) => {
    const { id, externalId } = await aCustomer(session);
    const former = await aSubscription(session, { customerId: id, doNotCharge: true });
    await graphql(archive(externalId));
    const planned = await graphql(document, { id }, dry);
    expect(planned.data.unarchiveCustomer.customer.archived).toBe(false);
    const { data } = await graphql(document, { id }, keyed('a'));
    expect(data.unarchiveCustomer).toEqual({
      customer: { id, archived: false, externalId },
      subscription: { status: 'active', isFreePlan: true },
    });
    expect((await graphql(document, { id }, keyed('a'))).data).toEqual(data);
    expect((await eventsOf(session, id)).at(-1)).toMatchObject({
      type: 'customer.updated',
      actorType: 'api_key',
      previousAttributes: { archived: true },
    });
    const { status } = await fresh(session).em.findOneOrFail(Subscription, former.id);
    expect(status).toBe('canceled');
    const unchanged = await graphql(document, { id });
    expect(unchanged.data.unarchiveCustomer.subscription).toBeNull();
    expect((await graphql(document, { id: 'cust_none' })).errors[0].extensions.code).toBe(
      'NOT_FOUND',
    );
  });

  test('is refused while another customer has the external id', async ({ graphql, session }) => {
    const { id, externalId } = await aCustomer(session);
    await graphql(archive(externalId));
    await aCustomer(session, { externalId });
    const { errors } = await graphql(document, { id });
    expect(errors[0].extensions.issues).toMatchObject([{ code: 'TAKEN', path: ['id'] }]);
    await graphql(archive(externalId));
    expect((await graphql(document, { id })).errors).toBeUndefined();
  });
});
