// @module-tag long
import { describe, expect } from 'vitest';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { detachPaymentMethod } from '#domain/money/commands/payment-methods/detach-payment-method.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { aCustomer, aSubscription } from '../../../support/factories.ts';
import { expectSameBooks } from '../../../support/live/stripe-books.ts';
import type { TestMethodName } from '../../../support/stripe/cards.ts';
import { completeSession } from '../../../support/stripe/checkout.ts';
import { closeDispute, openDispute } from '../../../support/stripe/disputes.ts';
import { emit } from '../../../support/stripe/events.ts';
import { attempt } from '../../../support/stripe/intents.ts';
import { createRefund } from '../../../support/stripe/refunds.ts';
import type { Shop } from '../../../support/stripe/shop.ts';
import { shopTest as test } from '../../../support/stripe/shop-test.ts';

const minute = 60_000;
const day = 86_400_000;

/** A customer who has paid the first period with a card, and what a test reads of it. */
async function aSubscriber(shop: Shop, unitPrice = 2_000) {
  const { id: customerId } = await aCustomer(shop.session);
  await shop.setUp(customerId, 'visa');
  const { id } = await aSubscription(shop.session, { customerId, unitPrice });
  await shop.settle(1);
  const methods = () =>
    shop.session.em.find(PaymentMethod, { customer: customerId }, { orderBy: { position: 'asc' } });
  const payments = () =>
    shop.session.em.find(Payment, { customerId }, { orderBy: { position: 'asc' } });
  const [method] = (await methods()) as [PaymentMethod];
  const card = shop.fake.live.get('pm', method.openToken());
  return {
    customerId,
    card,
    method,
    methods,
    payments,
    /** The card behaves like another one from now on. */
    behaves(name: TestMethodName) {
      card.test_name = name;
    },
    async nextPeriod() {
      shop.now += 31 * day;
      await shop.settle(1);
    },
    subscription: () => shop.session.em.findOneOrFail(Subscription, id),
    statuses: async () => (await payments()).map(({ status }) => status),
    taken: () =>
      shop.fake.live
        .all('ch')
        .filter(({ status, customer }) => status === 'succeeded' && customer === card.customer),
  };
}

describe('a card that was refused for its data', () => {
  test('is charged again at once when Stripe notifies of new data: a retry, and an amount without a retry', async ({
    shop,
  }) => {
    const one = await aSubscriber(shop);
    one.behaves('expired');
    await one.nextPeriod();
    expect((await one.methods())[0]?.refusalKind).toBe('card_data');
    expect((await one.subscription()).status).toBe('past_due');
    const renew = async (year: number) => {
      one.behaves('visa');
      one.card.card = { ...one.card.card, exp_year: year };
      emit(shop.fake.live, 'payment_method.automatically_updated', one.card);
      await shop.settle(2);
    };
    await renew(2_033);
    expect(await one.statuses()).toEqual(['succeeded', 'failed', 'succeeded']);
    expect((await one.methods())[0]).toMatchObject({
      refusalKind: null,
      paymentMethodData: { expYear: 2_033 },
    });
    expect((await one.subscription()).status).toBe('active');
    one.behaves('expired');
    await one.nextPeriod();
    for (let days = 0; days < 20; days += 2) {
      await shop.settle(1);
      shop.now += 2 * day;
    }
    expect((await one.subscription()).status).toBe('unpaid');
    await renew(2_036);
    expect((await one.subscription()).status).toBe('active');
    expect(one.taken()).toHaveLength(3);
    await expectSameBooks(shop.session, shop.fake.live);
  });
});

test('a refund in the Dashboard of Stripe is recorded as a refund with a credit note', async ({
  shop,
}) => {
  const one = await aSubscriber(shop);
  const [charge] = one.taken();
  const made = createRefund(shop.fake.live, { charge: charge.id, amount: '300' });
  await shop.settle(2);
  const [payment] = await one.payments();
  expect(payment).toMatchObject({ status: 'succeeded', refundedAmount: 300 });
  const [refund] = await shop.session.em.find(Refund, { payment: payment?.id ?? '' });
  expect(refund).toMatchObject({
    amount: 300,
    origin: 'processor',
    status: 'succeeded',
    processorReference: made.id,
  });
  const notes = await shop.session.em.find(CreditNote, { id: refund?.creditNoteId ?? '' });
  expect(notes).toMatchObject([{ total: 300, refundedAmount: 300, reason: 'refund' }]);
  await expectSameBooks(shop.session, shop.fake.live);
});

test('a dispute that is lost while a refund is pending takes its amount, too, when the refund fails', async ({
  shop,
}) => {
  const { fake } = shop;
  const one = await aSubscriber(shop);
  const [charge] = one.taken();
  fake.faultOf = ({ route }) => (route === 'POST /v1/refunds' ? 'unavailable' : undefined);
  const wanted = { id: charge.metadata.payment_id, partialAmount: 300 };
  await expect(refundPayment(shop.session, wanted)).rejects.toThrow();
  closeDispute(fake.live, openDispute(fake.live, charge), 'lost');
  await shop.settle(2);
  expect(await one.payments()).toMatchObject([{ reversedAmount: 1_700 }]);
  fake.faultOf = () => undefined;
  await shop.settle(3);
  expect(await one.payments()).toMatchObject([{ reversedAmount: 2_000, refundedAmount: 0 }]);
  await expectSameBooks(shop.session, fake.live);
});

test('a customer who was deleted at Stripe loses the cards there, and gets a new record with the next card', async ({
  shop,
}) => {
  const one = await aSubscriber(shop);
  const record = shop.fake.live.get('cus', one.card.customer);
  record.deleted = true;
  emit(shop.fake.live, 'customer.deleted', record);
  await shop.settle(2);
  expect(await one.methods()).toMatchObject([{ detachedAt: expect.any(Date), default: false }]);
  await one.nextPeriod();
  // The customer is asked for another card, and no request about the deleted one is repeated.
  expect(await one.statuses()).toEqual(['succeeded']);
  expect((await one.subscription()).status).toBe('past_due');
  await shop.setUp(one.customerId, 'visa');
  expect(await one.statuses()).toEqual(['succeeded', 'succeeded']);
  const [, card] = await one.methods();
  expect(shop.fake.live.get('pm', card?.openToken()).customer).not.toBe(record.id);
  expect((await one.subscription()).status).toBe('active');
});

describe('a charge that takes money after a failure was stored', () => {
  /** The renewal of a subscriber whose card is refused, and its intent. */
  async function aFailure(shop: Shop) {
    const one = await aSubscriber(shop);
    one.behaves('insufficientFunds');
    await one.nextPeriod();
    expect(await one.statuses()).toEqual(['succeeded', 'failed']);
    const failed = (await one.payments())[1] as Payment;
    const intent = shop.fake.live.get('pi', failed.processorReference);
    expect(intent.status).toBe('canceled');
    const arrives = async () => {
      one.behaves('visa');
      attempt(shop.fake.live, intent, one.card, false, null);
      await shop.settle(3);
    };
    return { ...one, failed, arrives };
  }

  test('pays its invoice, which is charged no more', async ({ shop }) => {
    const one = await aFailure(shop);
    await one.arrives();
    expect(await one.statuses()).toEqual(['succeeded', 'succeeded']);
    const invoice = await shop.session.em.findOneOrFail(Invoice, one.failed.invoiceId);
    expect(invoice.status).toBe('paid');
    expect((await one.subscription()).status).toBe('active');
    shop.now += 10 * day;
    await shop.settle(2);
    expect(one.taken()).toHaveLength(2);
    await expectSameBooks(shop.session, shop.fake.live);
  });

  test('is refunded when another payment has paid the invoice meanwhile', async ({ shop }) => {
    const one = await aFailure(shop);
    await shop.setUp(one.customerId, 'visa');
    expect(await one.statuses()).toEqual(['succeeded', 'failed', 'succeeded']);
    await one.arrives();
    expect(await one.statuses()).toEqual(['succeeded', 'refunded', 'succeeded']);
    expect(one.taken().map(({ amount, amount_refunded: back }) => amount - back)).toEqual([
      2_000, 2_000, 0,
    ]);
    await expectSameBooks(shop.session, shop.fake.live);
  });
});

test('a charge outside of the books is a difference until it is refunded at Stripe', async ({
  shop,
}) => {
  const one = await aSubscriber(shop);
  const { id: _, created: __, ...stray } = one.taken()[0];
  const copy = shop.fake.live.add('ch', stray);
  const open = () => shop.session.em.find(ProcessorDifference, { resolvedAt: null });
  shop.now += day / 4;
  await shop.settle(1);
  expect(await open()).toMatchObject([{ kind: 'charged_twice', reference: copy.id }]);
  Object.assign(copy, { amount_refunded: copy.amount, refunded: true });
  shop.now += day / 4;
  await shop.settle(1);
  expect(await open()).toEqual([]);
  shop.fake.live.objects.delete(copy.id);
});

test('a clock of Stripe that is minutes early or late makes no difference', async ({ shop }) => {
  const present = shop.fake.live.now;
  for (const skew of [-5 * minute, 5 * minute]) {
    const { id: customerId } = await aCustomer(shop.session);
    await shop.setUp(customerId, 'visa');
    shop.fake.live.now = () => shop.now + skew;
    await aSubscription(shop.session, { customerId, unitPrice: 700 });
    // The end of the next comparison is between the two instants of the charge.
    shop.now += 10 * minute + 1_000;
    await shop.round();
    await expectSameBooks(shop.session, shop.fake.live);
    shop.now += day / 4;
    await shop.round();
    await expectSameBooks(shop.session, shop.fake.live);
  }
  shop.fake.live.now = present;
});

test('a payment method of Stripe comes from its page only, and the refusal names it', async ({
  shop,
}) => {
  const { id: customerId } = await aCustomer(shop.session);
  const paymentMethod = { customerId, type: 'card', token: 'pm_1fakeFake' } as const;
  await expect(createPaymentMethod(shop.session, { paymentMethod })).rejects.toMatchObject({
    issues: [{ message: expect.stringContaining('createPaymentMethodSetup') }],
  });
});

test('the card that a customer chooses on the page of a payment is saved, and charged where the subscription has no other', async ({
  shop,
}) => {
  const one = await aSubscriber(shop);
  const confirm = async () => {
    const waiting = (await one.payments()).at(-1) as Payment;
    expect(waiting.status).toBe('requires_action');
    completeSession(shop.fake.live, waiting.actionReference ?? '', 'visa');
    await shop.settle(2);
    expect((await one.payments()).at(-1)?.status).toBe('succeeded');
  };
  one.behaves('authenticationAlways');
  await one.nextPeriod();
  await confirm();
  expect(await one.methods()).toMatchObject([{ default: true }, { default: false }]);
  expect((await one.subscription()).defaultPaymentMethodId).toBe(one.method.id);
  await one.nextPeriod();
  await detachPaymentMethod(shop.session, { id: one.method.id });
  await confirm();
  const [, , chosen] = await one.methods();
  expect((await one.subscription()).defaultPaymentMethodId).toBe(chosen?.id);
  await one.nextPeriod();
  expect((await one.payments()).at(-1)).toMatchObject({
    status: 'succeeded',
    paymentMethodId: chosen?.id,
  });
  await expectSameBooks(shop.session, shop.fake.live);
});

test('a payment method that is detached here is detached at Stripe by a job, also after a failure', async ({
  shop,
}) => {
  const one = await aSubscriber(shop);
  const { fake } = shop;
  fake.seen.length = 0;
  await detachPaymentMethod(shop.session, { id: one.method.id });
  expect(fake.seen).toEqual([]);
  fake.faultOf = ({ route }) => (route.endsWith('detach') ? 'unavailable' : undefined);
  await shop.settle(1);
  expect(one.card.customer).not.toBeNull();
  fake.faultOf = () => undefined;
  await shop.settle(1);
  expect(one.card.customer).toBeNull();
});

test('an amount below the least of Stripe is a matter of the configuration, with the least amount in its message', async ({
  shop,
}) => {
  const { id: customerId } = await aCustomer(shop.session);
  await shop.setUp(customerId, 'visa');
  const { id } = await aSubscription(shop.session, { customerId, unitPrice: 20 });
  await shop.settle(1);
  const [payment] = await shop.session.em.find(Payment, { customerId });
  expect(payment).toMatchObject({ failureKind: 'configuration', failureCode: 'amount_too_small' });
  expect(payment?.failureMessage).toContain('USD 0.20: the least amount is USD 0.50');
  expect((await shop.session.em.findOneOrFail(Subscription, id)).status).toBe('incomplete');
});
