// @module-tag long
import { describe, expect } from 'vitest';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { DisputeStatus } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Event } from '#domain/model/platform/event.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { restorePurchase } from '#domain/subscriptions/lifecycle/revoke-purchase.ts';
import {
  aCreditGrant,
  aCustomer,
  allowSeveral,
  aPaymentMethod,
  aPriceOf,
  aSubscription,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { settleDisputeOf } from '../../../support/records/disputes.ts';
import { aCheckout, visitor } from '../../../support/screen/checkout.ts';
import { test as base } from '../../../support/test.ts';

interface Pack {
  readonly externalId: string;
  readonly customerId: string;
  readonly meterId: string;
  readonly slug: string;
  /** Buys one or several, and returns the payment and the purchase. */
  buy(quantity?: number): Promise<{ paymentId: string; purchaseId: string }>;
  refund(paymentId: string, partialAmount?: number): Promise<number>;
  /** The access, capacity and credits of the current subscription, and all access by GraphQL. */
  read(): Promise<Granted>;
}

interface Granted {
  readonly toggles: number;
  readonly capacity: number;
  readonly balance: number;
  readonly hasFeature: boolean;
}

/** A customer, and a product at 5 dollars with a toggle, 5 seats and 100 usage credits that is bought once. */
const test = base
  .extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
    onCleanup(async () => {
      await expectLedgersToAgree(session);
      await expectMoneyToAgree(session);
    });
  })
  .extend('pack', async ({ api, session, gateway, graphql }): Promise<Pack> => {
    const visit = visitor(gateway);
    const { externalId, id: customerId } = await aCustomer(session);
    const meter = await aUsageMeter(session);
    const toggle = await aToggle(session, { slug: 'lifetime' });
    const { resource } = (
      await api('POST', '/resources', { resource: { name: 'Seats', slug: 'seats' } })
    ).body;
    const seats = {
      type: 'resource',
      name: 'Seats',
      slug: 's',
      amount: 5,
      resourceId: resource.id,
    };
    const { feature } = (
      await api('POST', '/features', { feature: { description: 'x', ...seats } })
    ).body;
    const credits = await aCreditGrant(session, meter.id);
    const { status } = await api('POST', '/products', {
      product: { name: 'Pack', slug: 'pack' },
      price: { type: 'single_payment', slug: 'pack', unitPrice: 500 },
      featureIds: [toggle.id, feature.id, credits.id],
    });
    expect(status).toBe(200);
    return {
      externalId,
      customerId,
      meterId: meter.id,
      slug: toggle.slug,
      buy: async (quantity = 1) => {
        const named = { customerExternalId: externalId, priceSlug: 'pack', quantity };
        const { url, checkoutSession } = await aCheckout(api, named);
        expect((await visit(url, {})).text).toContain('Thank you');
        const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
        const { purchaseId } = body.checkoutSession;
        const { em } = fresh(session);
        const payment = await em.findOneOrFail(Payment, { purchaseId, status: 'succeeded' });
        return { paymentId: payment.id, purchaseId };
      },
      refund: async (paymentId, partialAmount) =>
        (
          await api('POST', `/payments/${paymentId}/refund`, {
            ...(partialAmount && { partialAmount }),
          })
        ).status,
      read: async () => {
        const { currentSubscription } = (await api('GET', `/customers/${externalId}/billing`)).body;
        const { featureItems = [], usageMeterBalances = [] } =
          currentSubscription?.experimental ?? {};
        const of = (type: string) =>
          featureItems.filter((item: { type: string }) => item.type === type);
        const { data } = await graphql(
          'query($id: ID!) { customer(id: $id) { hasFeature(slug: "lifetime") } }',
          { id: customerId },
        );
        return {
          toggles: of('toggle').length,
          capacity: of('resource').reduce(
            (sum: number, { amount }: { amount: number }) => sum + amount,
            0,
          ),
          balance: usageMeterBalances[0]?.availableBalance ?? 0,
          hasFeature: data.customer.hasFeature,
        };
      },
    };
  });

let count = 0;

/** Uses units of the current subscription. */
async function use(session: Session, { customerId, meterId: usageMeterId }: Pack, amount: number) {
  const all = await fresh(session).em.find(Subscription, { customer: customerId });
  const subscriptionId = all.find(({ current }) => current)?.id;
  const transactionId = `use-${++count}`;
  const event = { subscriptionId, usageMeterId, transactionId, amount: String(amount) };
  await recordUsageEvents(fresh(session), { usageEvents: [event] });
}

/** The types of the events of an object, the oldest first. */
async function eventsOf(session: Session, objectId: string) {
  const events = await fresh(session).em.find(Event, { objectId }, { orderBy: { id: 'asc' } });
  return events.map(({ type }) => type);
}

const nothing = { toggles: 0, capacity: 0, balance: 0, hasFeature: false };

describe('a product that is bought once', () => {
  test('grants access, capacity and credits, and a full refund revokes what is not used', async ({
    session,
    pack,
  }) => {
    expect(await pack.read()).toEqual(nothing);
    const { paymentId } = await pack.buy();
    expect(await pack.read()).toEqual({
      toggles: 1,
      capacity: 5,
      balance: 100,
      hasFeature: true,
    });
    await use(session, pack, 30);
    expect(await pack.refund(paymentId, 200)).toBe(200);
    expect(await pack.read()).toMatchObject({ balance: 70, capacity: 5, hasFeature: true });
    expect(await pack.refund(paymentId)).toBe(200);
    expect(await pack.read()).toEqual(nothing);
    // A later subscription gets nothing of it, either.
    await aPaymentMethod(session, pack.customerId);
    await aSubscription(fresh(session), { customerId: pack.customerId });
    expect(await pack.read()).toEqual(nothing);
  });

  test('is revoked by a lost dispute as by a full refund; an open and a won dispute keep it', async ({
    api,
    session,
    pack,
    graphql,
  }) => {
    const whole = { toggles: 1, capacity: 5, balance: 70, hasFeature: true };
    const statusOf = async (id: string) =>
      (await api('GET', `/purchases/${id}`)).body.purchase.status;
    const { paymentId, purchaseId } = await pack.buy();
    await use(session, pack, 30);
    const state = (status: DisputeStatus, withdrawnAmount: number) =>
      settleDisputeOf(fresh(session), paymentId, { status, withdrawnAmount });
    await state('opened', 500);
    expect([await pack.read(), await statusOf(purchaseId)]).toEqual([whole, 'paid']);
    await state('won', 0);
    expect([await pack.read(), await statusOf(purchaseId)]).toEqual([whole, 'paid']);

    const other = await pack.buy();
    const lost = { status: 'lost', withdrawnAmount: 500 } as const;
    await settleDisputeOf(fresh(session), other.paymentId, lost);
    expect(await pack.read()).toEqual(whole);
    expect(await statusOf(other.purchaseId)).toBe('refunded');
    expect(await eventsOf(session, other.purchaseId)).toContain('purchase.updated');
    const { invoiceId } = await fresh(session).em.findOneOrFail(Payment, other.paymentId);
    const { data } = await graphql(
      'query($id: ID!) { explainInvoice(id: $id) { steps invoice { status } } }',
      { id: invoiceId },
    );
    expect(data.explainInvoice.invoice.status).toBe('uncollectible');
    expect(data.explainInvoice.steps.join()).toContain('USD 5.00 lost in a dispute');
  });

  test('keeps its features when a part is lost in a dispute, until the rest is refunded', async ({
    api,
    session,
    pack,
  }) => {
    const { paymentId, purchaseId } = await pack.buy();
    const lost = { status: 'lost', withdrawnAmount: 200 } as const;
    await settleDisputeOf(fresh(session), paymentId, lost);
    expect(await pack.read()).toMatchObject({ capacity: 5, hasFeature: true });
    const { purchase } = (await api('GET', `/purchases/${purchaseId}`)).body;
    expect(purchase.status).toBe('partial_refund');
    expect(await pack.refund(paymentId)).toBe(200);
    expect(await pack.read()).toEqual(nothing);
  });

  test('is revoked alone: another purchase of it keeps what it has granted', async ({ pack }) => {
    const first = await pack.buy();
    await pack.buy(2);
    expect(await pack.read()).toMatchObject({ capacity: 15, balance: 300, hasFeature: true });
    await pack.refund(first.paymentId);
    expect(await pack.read()).toMatchObject({ capacity: 10, balance: 200, hasFeature: true });
  });

  test('is granted again without the used credits when the seller keeps the money after all', async ({
    session,
    pack,
  }) => {
    const { paymentId, purchaseId } = await pack.buy();
    await use(session, pack, 30);
    await pack.refund(paymentId);
    expect(await pack.read()).toEqual(nothing);
    await command(fresh(session), async (session) => {
      await lockCustomer(session, { id: pack.customerId });
      await restorePurchase(session, await session.em.findOneOrFail(Purchase, purchaseId));
    });
    expect(await pack.read()).toEqual({ toggles: 1, capacity: 5, balance: 70, hasFeature: true });
  });

  test('keeps its unused credits when another plan replaces the subscription', async ({
    api,
    session,
    pack,
    gateway,
  }) => {
    const { paymentId } = await pack.buy();
    await use(session, pack, 30);
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const named = { customerExternalId: pack.externalId, priceId };
    const { url } = await aCheckout(api, named);
    expect((await visitor(gateway)(url, {})).text).toContain('Thank you');
    expect(await pack.read()).toEqual({ toggles: 1, capacity: 5, balance: 70, hasFeature: true });
    await pack.refund(paymentId);
    expect(await pack.read()).toEqual(nothing);
  });

  test('grants to one of several subscriptions, and to another one when that ends', async ({
    api,
    session,
    pack,
    gateway,
  }) => {
    await allowSeveral(session);
    await pack.buy();
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const named = { customerExternalId: pack.externalId, priceId };
    for (const _ of [1, 2]) {
      const { url } = await aCheckout(api, named);
      expect((await visitor(gateway)(url, {})).text).toContain('Thank you');
    }
    const { currentSubscriptions } = (await api('GET', `/customers/${pack.externalId}/billing`))
      .body;
    expect(
      currentSubscriptions.map(
        ({ experimental }: { experimental: { featureItems: unknown[] } }) =>
          experimental.featureItems.length,
      ),
    ).toEqual(expect.arrayContaining([0, 2]));
    for (const { id } of currentSubscriptions) {
      expect(await pack.read()).toMatchObject({ hasFeature: true });
      const cancellation = { timing: 'immediately' };
      await api('POST', `/subscriptions/${id}/cancel`, { cancellation });
    }
    expect(await pack.read()).toMatchObject({ hasFeature: true, balance: 100 });
  });
});
