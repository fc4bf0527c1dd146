// @module-tag long
import { describe, expect } from 'vitest';
import { createInvoice } from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { payInvoices } from '#domain/invoicing/commands/invoices/pay-invoices.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { aCustomer } from '../../../support/factories.ts';
import { expectSameBooks } from '../../../support/live/stripe-books.ts';
import { expectBooksToAgree } from '../../../support/money.ts';
import { closeDispute, openDispute } from '../../../support/stripe/disputes.ts';
import { attempt } from '../../../support/stripe/intents.ts';
import { createRefund } from '../../../support/stripe/refunds.ts';
import type { Shop } from '../../../support/stripe/shop.ts';
import { shopTest as test } from '../../../support/stripe/shop-test.ts';

const day = 86_400_000;

/** A customer with a card, and with open invoices of these amounts. */
async function aDebtor(shop: Shop, amounts: readonly number[], currency = 'USD') {
  const { id: customerId } = await aCustomer(shop.session);
  await shop.setUp(customerId, 'visa');
  const method = await shop.session.em.findOneOrFail(PaymentMethod, { customer: customerId });
  const card = shop.fake.live.get('pm', method.openToken());
  const ids: string[] = [];
  for (const price of amounts) {
    const { id } = await createInvoice(shop.session, {
      invoice: { customerId, currency },
      invoiceLineItems: [{ price, quantity: 1 }],
    });
    ids.push((await finalizeInvoice(shop.session, { id })).id);
  }
  const oldestFirst = { orderBy: { position: 'asc' } } as const;
  return {
    ids,
    card,
    pays: () => payInvoices(shop.session, { ids }),
    payments: () => shop.session.em.find(Payment, { customerId }, oldestFirst),
    refunds: () => shop.session.em.find(Refund, { customerId }, oldestFirst),
    disputes: () => shop.session.em.find(Dispute, { customerId }, oldestFirst),
    invoices: async () =>
      (await shop.session.em.find(Invoice, { customer: customerId }, oldestFirst)).map(
        ({ status }) => status,
      ),
    taken: () =>
      shop.fake.live
        .all('ch')
        .filter(({ status, customer }) => status === 'succeeded' && customer === card.customer),
    async agrees() {
      shop.now += day / 4;
      await shop.settle(2);
      await expectSameBooks(shop.session, shop.fake.live);
      await expectBooksToAgree(shop.session);
    },
  };
}

test('a charge for several invoices is one at Stripe, and its parts are refunded from it', async ({
  shop,
}) => {
  const one = await aDebtor(shop, [2_000, 1_500, 700]);
  await one.pays();
  const [charge, ...others] = one.taken();
  expect([charge.amount, others]).toEqual([4_200, []]);
  const [, second] = await one.payments();
  await refundPayment(shop.session, { id: second?.id ?? '', partialAmount: 1_000 });
  const made = createRefund(shop.fake.live, { charge: charge.id, amount: '2400' });
  await shop.settle(2);
  const refunds = await one.refunds();
  expect(
    refunds.map(({ amount, origin, processorReference }) => [
      amount,
      origin,
      processorReference === made.id,
    ]),
  ).toEqual([
    [1_000, 'service', false],
    [2_000, 'processor', true],
    [400, 'processor', true],
  ]);
  expect(await one.invoices()).toEqual(['refunded', 'partially_refunded', 'paid']);
  await one.agrees();
});

test('a charge for several invoices is refused with the place of a part that Stripe could not refund alone', async ({
  shop,
}) => {
  const one = await aDebtor(shop, [1_230, 1_234, 1_236], 'KWD');
  await expect(one.pays()).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    issues: [{ path: ['ids', '1'], message: expect.stringContaining('could not be refunded') }],
  });
  expect(await one.invoices()).toEqual(['open', 'open', 'open']);
  expect(one.taken()).toEqual([]);
  await payInvoice(shop.session, { id: one.ids[0] ?? '' });
  const [payment] = await one.payments();
  const refunded = (partialAmount: number) =>
    refundPayment(shop.session, { id: payment?.id ?? '', partialAmount });
  await expect(refunded(615)).rejects.toMatchObject({
    issues: [{ path: ['partialAmount'], message: expect.stringContaining('cannot move 615') }],
  });
  expect(await one.refunds()).toEqual([]);
  await refunded(610);
  expect(await one.refunds()).toMatchObject([{ amount: 610, status: 'succeeded' }]);
  await one.agrees();
});

test('a dispute about a charge that is lost while the refund of a part is pending takes that part, too, when the refund fails', async ({
  shop,
}) => {
  const one = await aDebtor(shop, [2_000, 1_500]);
  await one.pays();
  const [first] = await one.payments();
  const { fake } = shop;
  fake.faultOf = ({ route }) => (route === 'POST /v1/refunds' ? 'unavailable' : undefined);
  const wanted = { id: first?.id ?? '', partialAmount: 1_200 };
  await expect(refundPayment(shop.session, wanted)).rejects.toThrow();
  closeDispute(fake.live, openDispute(fake.live, one.taken()[0]), 'lost');
  await shop.settle(2);
  const reversed = async () => (await one.payments()).map(({ reversedAmount }) => reversedAmount);
  expect(await reversed()).toEqual([800, 1_500]);
  fake.faultOf = () => undefined;
  await shop.settle(3);
  expect(await reversed()).toEqual([2_000, 1_500]);
  const disputes = await one.disputes();
  expect(disputes.map(({ withdrawnAmount }) => withdrawnAmount)).toEqual([2_000, 1_500]);
  expect(await one.invoices()).toEqual(['uncollectible', 'uncollectible']);
  await one.agrees();
});

test('a dispute that is lost while the refund of a middle part is pending takes that part when the refund fails', async ({
  shop,
}) => {
  const one = await aDebtor(shop, [2_000, 1_500, 700]);
  await one.pays();
  const [, second] = await one.payments();
  const { fake } = shop;
  fake.faultOf = ({ route }) => (route === 'POST /v1/refunds' ? 'unavailable' : undefined);
  await expect(refundPayment(shop.session, { id: second?.id ?? '' })).rejects.toThrow();
  const dispute = openDispute(fake.live, one.taken()[0]);
  await shop.settle(2);
  const disputed = async () => (await one.payments()).map((payment) => payment.disputed);
  expect(await disputed()).toEqual([true, true, true]);
  closeDispute(fake.live, dispute, 'lost');
  await shop.settle(2);
  fake.faultOf = () => undefined;
  await shop.settle(3);
  const payments = await one.payments();
  expect(payments.map(({ reversedAmount }) => reversedAmount)).toEqual([2_000, 1_500, 700]);
  const shares = (await one.disputes()).map(({ paymentId, withdrawnAmount, fee }) => [
    payments.findIndex(({ id }) => id === paymentId),
    withdrawnAmount,
    fee,
  ]);
  expect(shares.sort()).toEqual([
    [0, 2_000, 1_500],
    [1, 1_500, 0],
    [2, 700, 0],
  ]);
  expect(await disputed()).toEqual([false, false, false]);
  expect(await one.invoices()).toEqual(['uncollectible', 'uncollectible', 'uncollectible']);
  await one.agrees();
});

describe('a charge for several invoices that takes money after a failure was stored', () => {
  async function aFailure(shop: Shop) {
    const one = await aDebtor(shop, [2_000, 1_500]);
    one.card.test_name = 'insufficientFunds';
    await one.pays();
    const [failed] = await one.payments();
    const intent = shop.fake.live.get('pi', failed?.processorReference);
    one.card.test_name = 'visa';
    const arrives = async () => {
      attempt(shop.fake.live, intent, one.card, false, null);
      await shop.settle(3);
    };
    return { ...one, arrives };
  }

  test('pays each of them', async ({ shop }) => {
    const one = await aFailure(shop);
    expect(await one.invoices()).toEqual(['open', 'open']);
    await one.arrives();
    expect(await one.invoices()).toEqual(['paid', 'paid']);
    await one.agrees();
  });

  test('is refunded for the one that was paid meanwhile', async ({ shop }) => {
    const one = await aFailure(shop);
    await payInvoice(shop.session, { id: one.ids[0] ?? '' });
    await one.arrives();
    expect(await one.invoices()).toEqual(['paid', 'paid']);
    const payments = await one.payments();
    expect(payments.map(({ amount, status }) => [amount, status])).toEqual([
      [2_000, 'refunded'],
      [1_500, 'succeeded'],
      [2_000, 'succeeded'],
    ]);
    await one.agrees();
  });
});
