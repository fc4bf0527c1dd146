// @module-tag long
import { expect } from 'vitest';
import { membersOf, statusOf } from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Event } from '#domain/model/platform/event.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { processNotices } from '#domain/money/commands/processors/process-notices.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { aCustomer, allowSeveral, aSubscription } from '../../../support/factories.ts';
import { expectSameBooks } from '../../../support/live/stripe-books.ts';
import { expectBooksToAgree } from '../../../support/money.ts';
import type { TestMethodName } from '../../../support/stripe/cards.ts';
import { deliver } from '../../../support/stripe/deliver.ts';
import type { Shop } from '../../../support/stripe/shop.ts';
import { shopTest as test } from '../../../support/stripe/shop-test.ts';

const day = 86_400_000;
const secret = 'whsec_fakeFakeFake';

/** A customer whose subscriptions of these prices began together, and what Stripe knows of its charges. */
async function aConsolidating(shop: Shop, prices: readonly number[]) {
  const { id: customerId, externalId } = await aCustomer(shop.session);
  await allowSeveral(shop.session);
  await updateCustomer(shop.session, { externalId, customer: { consolidatesInvoices: true } });
  await shop.setUp(customerId, 'visa');
  for (const unitPrice of prices) await aSubscription(shop.session, { customerId, unitPrice });
  await shop.settle(1);
  const method = await shop.session.em.findOneOrFail(PaymentMethod, { customer: customerId });
  const card = shop.fake.live.get('pm', method.openToken());
  const oldestFirst = { orderBy: { position: 'asc' } } as const;
  const charges = () =>
    shop.fake.live.all('ch').filter(({ customer }) => customer === card.customer);
  const known = charges().length;
  const payments = () => shop.session.em.find(Payment, { customerId }, oldestFirst);
  const firstPayments = (await payments()).length;
  return {
    card,
    /** The card behaves like another one from now on. */
    behaves(name: TestMethodName) {
      card.test_name = name;
    },
    async nextPeriod() {
      shop.now += 31 * day;
      await shop.settle(1);
    },
    /** The charges after those of the first periods, as amount and status. */
    charged: () =>
      charges()
        .slice(known)
        .map(({ amount, status }) => `${amount} ${status}`),
    charges: () => charges().slice(known),
    payments: async () => (await payments()).slice(firstPayments),
    async document() {
      const where = { customer: customerId };
      const [document, ...others] = await shop.session.em.find(ConsolidatedInvoice, where);
      if (!document || others.length > 0) throw new Error(`There are ${others.length} others`);
      const members = await membersOf(shop.session, document);
      return {
        document,
        status: await statusOf(shop.session, document),
        members: members.map(({ status }) => status),
      };
    },
    async agrees() {
      shop.now += day / 4;
      await shop.settle(2);
      await expectSameBooks(shop.session, shop.fake.live);
      await expectBooksToAgree(shop.session);
    },
  };
}

test('the invoices of a document are one charge at Stripe, which names the document, and one of them is refunded from it', async ({
  shop,
}) => {
  const one = await aConsolidating(shop, [2_000, 1_500, 700]);
  await one.nextPeriod();
  const { document, status, members } = await one.document();
  expect([status, members]).toEqual(['paid', ['paid', 'paid', 'paid']]);
  expect(one.charged()).toEqual(['4200 succeeded']);
  const [charge] = one.charges();
  const intent = shop.fake.live.get('pi', charge.payment_intent);
  expect(intent.description).toBe(`Invoice ${document.invoiceNumber}`);
  const [first, second] = await one.payments();
  expect(second?.chargedWithId).toBe(first?.id);
  await refundPayment(shop.session, { id: second?.id ?? '' });
  await shop.settle(1);
  const refunds = shop.fake.live.all('re').filter((refund) => refund.charge === charge.id);
  expect(refunds.map(({ amount }) => amount)).toEqual([1_500]);
  expect(await one.document()).toMatchObject({
    status: 'partially_refunded',
    members: ['paid', 'refunded', 'paid'],
  });
  await one.agrees();
});

test('a document that Stripe declines is retried with one charge for all of its invoices', async ({
  shop,
}) => {
  const one = await aConsolidating(shop, [2_000, 1_500]);
  one.behaves('insufficientFunds');
  await one.nextPeriod();
  expect(one.charged()).toEqual(['3500 failed']);
  expect(await one.document()).toMatchObject({ status: 'open', members: ['open', 'open'] });
  one.behaves('visa');
  for (let days = 0; days < 8; days += 2) {
    await shop.settle(1);
    shop.now += 2 * day;
  }
  expect(one.charged()).toEqual(['3500 failed', '3500 succeeded']);
  expect(await one.document()).toMatchObject({ status: 'paid', members: ['paid', 'paid'] });
  const payments = await one.payments();
  expect(payments.map(({ status, amount }) => `${amount} ${status}`)).toEqual([
    ...['2000 failed', '1500 failed', '2000 succeeded', '1500 succeeded'],
  ]);
  await one.agrees();
});

test('a notice about the charge of a document that arrives twice pays each invoice once', async ({
  shop,
}) => {
  const one = await aConsolidating(shop, [2_000, 1_500]);
  const { live } = shop.fake;
  const known = live.all('evt').length;
  // The answer of the charge is lost, so the notices alone tell of it.
  shop.fake.faultOf = ({ route }) => {
    if (route.endsWith('/confirm')) return 'lost';
    return route.startsWith('GET /v1/payment_intents') ? 'reset' : undefined;
  };
  shop.now += 31 * day;
  const at = () => [shop.em.fork(), new Date(shop.now), 'test'] as const;
  const onFailure = (error: unknown) => void shop.failures.push(error);
  await transitionDueSubscriptions(...at());
  await executeDueRuns(...at(), onFailure);
  shop.fake.faultOf = () => undefined;
  expect(one.charged()).toEqual(['3500 succeeded']);
  expect((await one.document()).members).not.toContain('paid');
  const events = live.all('evt').slice(known);
  const told = events.filter(
    ({ type, data }) =>
      type === 'payment_intent.succeeded' && data.object.customer === one.card.customer,
  );
  expect(told).toHaveLength(1);
  for (const event of [...told, ...told]) {
    const { organizationId } = shop.session;
    expect(await deliver(shop.fetch, organizationId, event, { secret })).toBe(200);
    await processNotices(...at(), onFailure);
  }
  const { document, status, members } = await one.document();
  expect([status, members]).toEqual(['paid', ['paid', 'paid']]);
  const payments = await one.payments();
  expect(payments.map((payment) => `${payment.amount} ${payment.status}`)).toEqual([
    ...['2000 succeeded', '1500 succeeded'],
  ]);
  const paid = { objectId: document.id, type: 'consolidated_invoice.paid' } as const;
  expect(await shop.session.em.count(Event, paid)).toBe(1);
  await one.agrees();
  expect(one.charged()).toEqual(['3500 succeeded']);
});
