// @module-tag long
import { expect } from 'vitest';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { reconcileProcessors } from '#domain/money/commands/processors/reconcile-processors.ts';
import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { aCustomer, aLiveSession, aSubscription } from '../../../support/factories.ts';
import { completeSession, newMethod } from '../../../support/stripe/checkout.ts';
import { closeDispute, openDispute } from '../../../support/stripe/disputes.ts';
import { emit } from '../../../support/stripe/events.ts';
import { type Fault, startFakeStripe } from '../../../support/stripe/fake-stripe.ts';
import { createRefund } from '../../../support/stripe/refunds.ts';
import { Shop } from '../../../support/stripe/shop.ts';
import type { Thing } from '../../../support/stripe/state.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const day = 86_400_000;
const faults: Fault[] = ['reset', 'lost', 'hang', 'late error', 'limit', 'unavailable', 'conflict'];

test.for([0, 1, 2])(
  'a business in live mode: set-up, periods, 3-D Secure, dispute and refund, once each (seed %s)',
  async (seed, { database, gateway }) => {
    await using fake = await startFakeStripe();
    useStripe({ apiBase: fake.url, timeoutMilliseconds: 300, maxNetworkRetries: 0 });
    const live = await aLiveSession((await aTenant(database.orm.em)).session);
    const shop = new Shop(live, fake, gateway.fetch, seed);
    await shop.connect();
    // The first seed has no faults: it is the plain story.
    const share = seed === 0 ? 0 : 0.12;
    const pick = () => faults[Math.floor(shop.random() * faults.length)];
    fake.faultOf = () => (shop.random() < share ? pick() : undefined);

    const customer = await aCustomer(shop.session);
    await shop.setUp(customer.id, 'visa');
    const [method] = await shop.session.em.find(PaymentMethod, { customer: customer.id });
    expect(method).toMatchObject({ type: 'card', default: true, processor: 'stripe' });

    const { id } = await aSubscription(shop.session, { customerId: customer.id, unitPrice: 2_000 });
    await shop.settle();
    for (let period = 0; period < 2; period++) {
      shop.now += 31 * day;
      await shop.settle();
    }
    const taken = () => fake.live.all('ch').filter(({ status }) => status === 'succeeded');
    const perPayment = () => Map.groupBy(taken(), ({ metadata }) => metadata.payment_id);
    // Each period has one charge of its price, however many of them the time has brought.
    const periods = await shop.session.em.find(BillingPeriod, { subscription: id });
    const charges = await chargesByPeriod(shop, taken());
    expect(charges).toEqual(new Map(periods.map(({ id }) => [id, [2_000]])));
    expect(periods).toHaveLength(3);
    const subscription = await shop.session.em.findOneOrFail(Subscription, id);
    expect(subscription.status).toBe('active');

    // The bank wants the customer to confirm the next payment.
    await shop.setUp(customer.id, 'authenticationAlways');
    shop.now += 31 * day;
    await shop.settle(2);
    const waiting = await shop.session.em.findOneOrFail(Payment, { status: 'requires_action' });
    expect(waiting.actionPage()).toMatch(/^https:\/\/checkout\.stripe\.example/);
    completeSession(fake.live, waiting.actionReference ?? '', 'authenticationAlways');
    await shop.settle();
    expect(taken()).toHaveLength(4);
    expect([...perPayment().values()].map((charges) => charges.length)).toEqual([1, 1, 1, 1]);
    const paid = await shop.payments();
    expect(paid.filter(({ status }) => status === 'succeeded')).toHaveLength(4);

    // One payment is disputed and lost, one is refunded here, and one in the Dashboard of Stripe.
    const [first, second, third] = taken();
    const dispute = openDispute(fake.live, first);
    await shop.settle(2);
    expect(await shop.session.em.findOneOrFail(Dispute, {})).toMatchObject({ status: 'opened' });
    closeDispute(fake.live, dispute, 'lost');
    const wanted = { id: second.metadata.payment_id, partialAmount: 500 };
    // The refund is stored before Stripe is asked: a job executes it when the answer is lost.
    await refundPayment(shop.session, wanted).catch((error) => shop.failures.push(error));
    createRefund(fake.live, { charge: third.id, amount: '300' });
    await shop.settle(8);
    fake.faultOf = () => undefined;
    await shop.settle();

    expect(await shop.session.em.findOneOrFail(Dispute, {})).toMatchObject({
      status: 'lost',
      withdrawnAmount: 2_000,
    });
    const refunds = await shop.session.em.find(Refund, {}, { orderBy: { amount: 'asc' } });
    expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([
      [300, 'succeeded'],
      [500, 'succeeded'],
    ]);
    expect(
      fake.live
        .all('re')
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([300, 500]);
    // Our books are those of Stripe.
    const payments = await shop.payments();
    for (const charge of taken()) {
      const payment = payments.find(({ id }) => id === charge.metadata.payment_id);
      expect(payment).toMatchObject({
        amount: charge.amount,
        refundedAmount: charge.amount_refunded,
        chargeReference: charge.id,
      });
    }
    expect(await shop.session.em.count(ProcessorDifference, { resolvedAt: null })).toBe(0);
    expect(await shop.session.em.count(Invoice, { status: 'open' })).toBeLessThanOrEqual(1);

    // A charge that the books do not have is a difference until it is gone.
    const { id: _, created: __, ...stray } = taken().at(-1);
    const copy = fake.live.add('ch', stray);
    shop.now += day;
    await shop.round();
    const [difference] = await shop.session.em.find(ProcessorDifference, { resolvedAt: null });
    expect(difference).toMatchObject({ kind: 'charged_twice', reference: copy.id });
    fake.live.objects.delete(copy.id);
    shop.now += day;
    await shop.round();
    expect(await shop.session.em.count(ProcessorDifference, { resolvedAt: null })).toBe(0);
  },
);

/** The amounts of charges, by the billing period that their invoice is for. */
async function chargesByPeriod(shop: Shop, charges: readonly Thing[]) {
  const rows = await shop.session.em.execute<{ id: string; period: string }[]>(
    'select p.id, i.billing_period_id as period from payment p join invoice i on i.id = p.invoice_id',
  );
  const periods = new Map(rows.map(({ id, period }) => [id, period]));
  const amounts = new Map<string | undefined, number[]>();
  for (const { amount, metadata } of charges) {
    const period = periods.get(metadata.payment_id);
    amounts.set(period, [...(amounts.get(period) ?? []), amount]);
  }
  return amounts;
}

test('a charge that a fast clock makes old is a difference only until the books have heard of it', async ({
  database,
  gateway,
}) => {
  await using fake = await startFakeStripe();
  useStripe({ apiBase: fake.url, timeoutMilliseconds: 2_000, maxNetworkRetries: 0 });
  const live = await aLiveSession((await aTenant(database.orm.em)).session);
  const shop = new Shop(live, fake, gateway.fetch, 0);
  await shop.connect();
  const customer = await aCustomer(shop.session);
  await shop.setUp(customer.id, 'visa');
  // The charge takes money, and no answer arrives.
  fake.faultOf = ({ route }) => (/confirm|GET/.test(route) ? 'lost' : undefined);
  await aSubscription(shop.session, { customerId: customer.id, unitPrice: 2_000 });
  fake.faultOf = () => undefined;
  const { em } = shop.session;
  const open = () => em.fork().find(ProcessorDifference, { resolvedAt: null });
  const fast = new Date(shop.now + day);
  await reconcileProcessors(em.fork(), fast, 'test', (error) => {
    throw error;
  });
  expect(await open()).toMatchObject([{ kind: 'not_recorded', processorAmount: 2_000 }]);
  shop.now += day;
  await shop.settle();
  expect(await open()).toEqual([]);
  expect(await shop.payments()).toMatchObject([{ status: 'succeeded', amount: 2_000 }]);
});

test('an event that no webhook brought is found while the clocks of Stripe and of the database are hours apart', async ({
  database,
  gateway,
}) => {
  await using fake = await startFakeStripe();
  useStripe({ apiBase: fake.url, timeoutMilliseconds: 300, maxNetworkRetries: 0 });
  const live = await aLiveSession((await aTenant(database.orm.em)).session);
  const shop = new Shop(live, fake, gateway.fetch, 0);
  await shop.connect();
  const { em } = shop.session;
  const reconcile = () =>
    reconcileProcessors(em.fork(), new Date(shop.now), 'test', (error) => {
      throw error;
    });
  shop.now += day / 4;
  fake.live.now = () => shop.now - day / 4;
  await reconcile();
  const { id } = emit(fake.live, 'payment_method.detached', newMethod(fake.live, 'visa', null));
  await reconcile();
  const found = await em.fork().execute('select from processor_event where event_id = ?', [id]);
  expect(found).toHaveLength(1);
});
