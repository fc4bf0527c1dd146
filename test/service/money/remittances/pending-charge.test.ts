import { expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { reversePayment } from '#domain/money/commands/remittances/reverse-payment.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { agreedBy, anAdjustable, shown } from '../../../support/adjustments.ts';
import { aCustomer, aPaymentMethod, aPriceOf, fresh } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

const method = 'bank_transfer' as const;
const inOrder = { orderBy: { createdAt: 'asc', position: 'asc' } } as const;

test('a payment by hand begins a subscription whose first charge waits for the customer', async ({
  session,
}) => {
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId, { token: 'sandbox_requires_action', default: true });
  const priceId = await aPriceOf(session, {});
  const { id, status } = await createSubscription(fresh(session), { customerId, priceId });
  const [invoice] = await fresh(session).em.find(Invoice, { subscription: id });
  expect([status, invoice?.status]).toEqual(['incomplete', 'awaiting_payment_confirmation']);
  const receipt = await recordPayment(fresh(session), {
    invoiceId: invoice?.id,
    amount: 1_000,
    method,
  });
  const { em } = fresh(session);
  expect(await em.find(Payment, { invoice: invoice?.id ?? '' }, inOrder)).toMatchObject([
    { status: 'canceled', checkDueAt: null },
    { status: 'succeeded', remittanceId: receipt.id },
  ]);
  expect(await em.find(BillingRun, { subscription: id })).toMatchObject([{ status: 'succeeded' }]);
  expect(await em.findOneOrFail(Subscription, id)).toMatchObject({ status: 'active' });
  await expect(payInvoice(fresh(session), { id: invoice?.id ?? '' })).rejects.toThrow(
    'Invalid input data',
  );
  await reversePayment(fresh(session), { id: receipt.id, reason: 'It bounced' });
  const later = fresh(session).em;
  expect(await later.findOneOrFail(Subscription, id)).toMatchObject({ status: 'past_due' });
  expect(await later.find(BillingRun, { subscription: id }, inOrder)).toMatchObject([
    { status: 'succeeded', attemptNumber: 1 },
    { status: 'scheduled', attemptNumber: 2 },
  ]);
});

test('an adjustment whose charge is pending is applied when it is paid by hand, after a part the rest is charged', async ({
  session,
}) => {
  const it = await anAdjustable(session);
  await it.pays('sandbox_requires_action', { default: true });
  await it.toDay(15);
  const { billingRunId, subscriptionItems } = await it.adjust([
    { priceId: await it.monthly(2_000) },
  ]);
  expect(shown(subscriptionItems)).toEqual(['1000×1']);
  const run = await fresh(session).em.findOneOrFail(BillingRun, billingRunId ?? '');
  const invoiceId = run.invoiceId ?? '';
  await recordPayment(fresh(session), { invoiceId, amount: 200, method });
  await it.toDay(15.1);
  const payments = await fresh(session).em.find(Payment, { invoice: invoiceId }, inOrder);
  expect(payments.map(({ amount, status }) => [amount, status])).toEqual([
    [500, 'canceled'],
    [200, 'succeeded'],
    [300, 'requires_action'],
  ]);
  await recordPayment(fresh(session), { invoiceId, amount: 300, method });
  const agreed = await agreedBy(session, it.customer.id);
  expect(JSON.stringify(agreed)).toContain('2000');
  expect(await fresh(session).em.findOneOrFail(Invoice, invoiceId)).toMatchObject({
    status: 'paid',
  });
  expect((await it.runs()).at(-1)).toMatchObject({ status: 'succeeded', purpose: 'adjustment' });
});
