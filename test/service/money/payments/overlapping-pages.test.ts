import { expect } from 'vitest';
import type { Payment } from '#domain/model/money/payment.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { SandboxPage } from '#domain/model/money/sandbox-objects.ts';
import { settlePayment } from '#domain/money/collection/settle-payment.ts';
import { createPaymentMethodSetup } from '#domain/money/commands/payment-methods/create-payment-method-setup.ts';
import { openSetupPage } from '#domain/money/methods/open-setup-page.ts';
import { openPage } from '#domain/money/processing/sandbox/sandbox-pages.ts';
import { aCustomer, aPriceOf, aSubscription } from '../../../support/factories.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { testAlone } from '../../../support/test.ts';
import { fresh } from '../../../support/timeline.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const returnUrl = 'https://app.example/return';
const cancelUrl = 'https://app.example/cancel';

test('of two set-up pages that processes open at the same time, the first stays and the other is closed', async ({
  session,
}) => {
  const { id: customerId } = await aCustomer(session);
  const paymentMethodSetup = { customerId, returnUrl, cancelUrl };
  const { id } = await createPaymentMethodSetup(fresh(session), { paymentMethodSetup });
  const { em } = fresh(session);
  const pageOf = () => fresh(session).em.findOne(SandboxPage, { idempotencyKey: id });
  await em.execute('update payment_method_setup set url = null where id = ?', [id]);
  await em.nativeDelete(SandboxPage, { idempotencyKey: id });
  const first = { url: 'https://pages.example/first', processorReference: 'page_first' };
  await em
    .transactional(async (em) => {
      await em.nativeUpdate(PaymentMethodSetup, id, first);
      // This one has seen no page, and waits for the lock with its own.
      const second = openSetupPage(fresh(session), id);
      await expect.poll(pageOf, { interval: 5 }).toMatchObject({ status: 'open' });
      return { second };
    })
    .then(({ second }) => second);
  expect(await fresh(session).em.findOneOrFail(PaymentMethodSetup, id)).toMatchObject(first);
  expect(await pageOf()).toMatchObject({ status: 'expired' });
});

test('a set-up page is in the currency of its customer, whatever that of the organization', async ({
  session,
}) => {
  const priceId = await aPriceOf(session, { currency: 'EUR' });
  const { customerId } = await aSubscription(session, { priceId, doNotCharge: true });
  for (const [customer, currency] of [
    [customerId, 'EUR'],
    [(await aCustomer(session)).id, 'USD'],
  ]) {
    const paymentMethodSetup = { customerId: customer ?? '', returnUrl, cancelUrl };
    const { id } = await createPaymentMethodSetup(fresh(session), { paymentMethodSetup });
    const page = await fresh(session).em.findOneOrFail(SandboxPage, { idempotencyKey: id });
    expect(page.currency).toBe(currency);
  }
});

test('of two pages of a payment that processes open at the same time, the first stays and the other is closed', async ({
  session,
}) => {
  const timeline = await aTimeline(session);
  await timeline.pays('sandbox_success');
  await timeline.subscribes();
  await timeline.pays('sandbox_decline_authentication', { default: true });
  await timeline.toDay(31);
  const last = async () => (await timeline.payments()).at(-1) as Payment;
  const waiting = await last();
  expect(waiting).toMatchObject({ status: 'requires_action', actionPages: 1 });
  const { reference, url, expiresAt } = await openPage(timeline.fresh(), {
    idempotencyKey: 'another process',
    customerReference: 'sandbox_customer',
    ...{ returnUrl, cancelUrl, currency: waiting.currency, metadata: {} },
  });
  await settlePayment(timeline.fresh(), waiting.id, {
    ...{ status: 'requires_action', failureCode: null, failureMessage: null, actionUrl: url },
    page: { reference, expiresAt, number: 1 },
  });
  const { actionReference, actionUrl, actionPages } = waiting;
  expect(await last()).toMatchObject({ actionReference, actionUrl, actionPages });
  const statusOf = async (of: string) =>
    (await timeline.fresh().em.findOneOrFail(SandboxPage, of)).status;
  expect(await statusOf(reference)).toBe('expired');
  expect(await statusOf(actionReference ?? '')).toBe('open');
});
