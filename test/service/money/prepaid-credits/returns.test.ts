import { expect } from 'vitest';
import { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import {
  anInvoiceOf,
  aPayer,
  aPrepaidCredit,
  creditsOf,
  invoiceOf,
} from '../../../support/prepaid.ts';
import { settleDisputeOf } from '../../../support/records/disputes.ts';
import { test as base } from '../../../support/test.ts';
import { advance, fresh } from '../../../support/timeline.ts';

const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectMoneyToAgree(session));
});

test('a lost dispute about its purchase revokes what remains, and the used part stays used', async ({
  session,
}) => {
  const { customerId } = await aPayer(session);
  const { invoiceId } = await aPrepaidCredit(session, customerId, {
    source: 'purchase',
    amount: 500,
  });
  const used = await anInvoiceOf(session, customerId, 200);
  const invoice = invoiceId ?? '';
  const payment = await fresh(session).em.findOneOrFail(Payment, { invoice });
  const state = { amount: 500, withdrawnAmount: 500 };
  await settleDisputeOf(fresh(session), payment.id, { ...state, status: 'opened' });
  await settleDisputeOf(fresh(session), payment.id, { ...state, status: 'lost' });
  expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 200 used, 300 revoked']);
  expect(await invoiceOf(session, used.id)).toMatchObject({ status: 'paid', prepaidApplied: 200 });
  const next = await anInvoiceOf(session, customerId, 100);
  expect(next).toMatchObject({ status: 'open', prepaidApplied: 0 });
});

test('a refund of its purchase that fails later leaves the amount to the balance, not to the credit', async ({
  session,
}) => {
  const { customerId, clockId } = await aPayer(session, 'sandbox_refund_fails_later');
  const { invoiceId } = await aPrepaidCredit(session, customerId, {
    source: 'purchase',
    amount: 500,
  });
  const payment = await fresh(session).em.findOneOrFail(Payment, { invoice: invoiceId ?? '' });
  await refundPayment(fresh(session), { id: payment.id, partialAmount: 300 });
  expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 200 left, 300 revoked']);
  await advance(session, clockId, '2026-01-10');
  const refunds = await fresh(session).em.find(Refund, { payment: payment.id });
  expect(refunds).toMatchObject([{ status: 'failed' }]);
  expect(await creditsOf(session, customerId)).toEqual(['purchase 500: 200 left, 300 revoked']);
  // The credit pays what it still has, and the balance what the customer has not received as money.
  const next = await anInvoiceOf(session, customerId, 500);
  expect(next).toMatchObject({ status: 'paid', prepaidApplied: 200, creditApplied: 500 });
});
