import { expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { voidInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { executePrepaidTopUp } from '#domain/money/collection/execute-prepaid-top-up.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { executeDuePrepaidTopUps } from '#domain/money/commands/prepaid-top-ups/execute-due-prepaid-top-ups.ts';
import { updatePrepaidTopUp } from '#domain/money/commands/prepaid-top-ups/update-prepaid-top-up.ts';
import { aCustomer, aPaymentMethod } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import {
  anInvoiceOf,
  aPayer,
  aPrepaidCredit,
  aPrepaidTopUp,
  creditsOf,
  prepaidTopUpOf,
} from '../../../support/prepaid.ts';
import { settleDisputeOf } from '../../../support/records/disputes.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at, eventsOf, fresh } from '../../../support/timeline.ts';

const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectMoneyToAgree(session));
});

test('buys when little remains, and no more than its amount of a month', async ({ session }) => {
  const { customerId, clockId } = await aPayer(session);
  await aPrepaidCredit(session, customerId, { amount: 101 });
  const topUp = await aPrepaidTopUp(session, customerId, { mostPerMonth: 1_200 });
  await advance(session, clockId, '2026-01-02');
  expect(await creditsOf(session, customerId)).toEqual(['gift 101: 101 left']);
  await anInvoiceOf(session, customerId, 1);
  await advance(session, clockId, '2026-01-03');
  expect(await creditsOf(session, customerId)).toEqual([
    'gift 101: 100 left, 1 used',
    'top_up 500: 500 left',
  ]);
  for (const price of [500, 550]) {
    await anInvoiceOf(session, customerId, price);
    await advance(session, clockId, '2026-01-20');
  }
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({
    active: true,
    boughtInMonth: 1_000,
    waitsUntil: new Date('2026-02-01T00:00:00Z'),
  });
  await advance(session, clockId, '2026-02-01');
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({
    boughtInMonth: 500,
    waitsUntil: null,
  });
  const bought = { customer: customerId, source: 'top_up' } as const;
  const credits = await fresh(session).em.find(PrepaidCredit, bought);
  expect(credits.map(({ grantedAt }) => grantedAt)).toEqual([
    at('2026-01-02'),
    at('2026-01-03'),
    new Date('2026-02-01T00:00:00Z'),
  ]);
});

test('never has two purchases at once, however many processes execute it', async ({
  session,
  database,
}) => {
  const customer = await aCustomer(session);
  await aPaymentMethod(session, customer.id, { token: 'sandbox_success', default: true });
  const topUp = await aPrepaidTopUp(session, customer.id);
  const execute = () => executePrepaidTopUp(fresh(session), topUp.id);
  const sweep = () =>
    executeDuePrepaidTopUps(database.orm.em.fork(), new Date(), 'test', (error) => {
      throw error;
    });
  await Promise.all([execute(), execute(), sweep(), execute()]);
  expect(await creditsOf(session, customer.id)).toEqual(['top_up 500: 500 left']);
});

test('stops when a payment fails or its invoice is given up, and continues once it is activated', async ({
  session,
}) => {
  const { customerId, clockId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
  const topUp = await aPrepaidTopUp(session, customerId);
  await advance(session, clockId, '2026-01-02');
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({
    active: false,
    pendingCreditId: null,
  });
  expect(await creditsOf(session, customerId)).toEqual(['top_up 500: void']);
  expect((await eventsOf(session, topUp.id)).at(-1)?.type).toBe('prepaid_top_up.stopped');
  const token = 'sandbox_processing_success';
  await createPaymentMethod(fresh(session), {
    paymentMethod: { customerId, type: 'card', token, default: true },
  });
  const activate = () =>
    updatePrepaidTopUp(fresh(session), { id: topUp.id, prepaidTopUp: { active: true } });
  expect(await activate()).toMatchObject({ active: true, problem: null });
  await expect(aPrepaidTopUp(session, customerId)).rejects.toMatchObject({
    issues: [{ code: 'TAKEN', path: ['prepaidTopUp', 'customerId'] }],
  });
  await advance(session, clockId, '2026-01-20');
  expect(await creditsOf(session, customerId)).toEqual([
    'top_up 500: void',
    'top_up 500: 500 left',
  ]);
  const tooLittle = { id: topUp.id, prepaidTopUp: { mostPerMonth: 499 } };
  await expect(updatePrepaidTopUp(fresh(session), tooLittle)).rejects.toMatchObject({
    issues: [{ code: 'OUT_OF_RANGE', path: ['prepaidTopUp', 'mostPerMonth'] }],
  });
});

test('waits for an invoice that is sent, and stops when that is void', async ({ session }) => {
  const customer = await aCustomer(session, { collectionMethod: 'send_invoice' } as never);
  const topUp = await aPrepaidTopUp(session, customer.id);
  await executePrepaidTopUp(fresh(session), topUp.id);
  await executePrepaidTopUp(fresh(session), topUp.id);
  expect(await creditsOf(session, customer.id)).toEqual(['top_up 500: pending']);
  const credit = await fresh(session).em.findOneOrFail(PrepaidCredit, { customer: customer.id });
  await voidInvoice(fresh(session), { id: credit.invoiceId ?? '' });
  const problem = 'Its invoice is not to be paid any more';
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({ active: false, problem });
});

const paymentOf = async (session: Session, customer: string) => {
  const credit = await fresh(session).em.findOneOrFail(PrepaidCredit, { customer });
  return fresh(session).em.findOneOrFail(Payment, { invoice: credit.invoiceId ?? '' });
};

test('buys nothing while its payment is disputed, and stops when the dispute is lost', async ({
  session,
}) => {
  const { customerId, clockId } = await aPayer(session);
  const topUp = await aPrepaidTopUp(session, customerId);
  await advance(session, clockId, '2026-01-02');
  await anInvoiceOf(session, customerId, 450);
  const { id } = await paymentOf(session, customerId);
  await settleDisputeOf(session, id, { status: 'opened', withdrawnAmount: 500 });
  await advance(session, clockId, '2026-01-03');
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({ active: true });
  await settleDisputeOf(session, id, { status: 'lost', withdrawnAmount: 500 });
  await advance(session, clockId, '2026-01-04');
  const problem = expect.stringContaining('was revoked');
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({ active: false, problem });
  expect(await creditsOf(session, customerId)).toEqual(['top_up 500: 450 used, 50 revoked']);
});

test('stops when its payment is refunded', async ({ session }) => {
  const { customerId, clockId } = await aPayer(session);
  const topUp = await aPrepaidTopUp(session, customerId);
  await advance(session, clockId, '2026-01-02');
  await refundPayment(fresh(session), { id: (await paymentOf(session, customerId)).id });
  await advance(session, clockId, '2026-01-03');
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({ active: false });
  expect(await creditsOf(session, customerId)).toEqual(['top_up 500: 500 revoked']);
});

test('a declined payment leaves an invoice that was sent', async ({ session }) => {
  const customer = await aCustomer(session, { collectionMethod: 'send_invoice' } as never);
  const topUp = await aPrepaidTopUp(session, customer.id);
  await executePrepaidTopUp(fresh(session), topUp.id);
  const token = 'sandbox_decline_insufficient_funds';
  await aPaymentMethod(session, customer.id, { token, default: true });
  const credit = await fresh(session).em.findOneOrFail(PrepaidCredit, { customer: customer.id });
  await payInvoice(fresh(session), { id: credit.invoiceId ?? '' });
  expect(await creditsOf(session, customer.id)).toEqual(['top_up 500: pending']);
  expect(await prepaidTopUpOf(session, topUp)).toMatchObject({ active: true });
});

test('a void purchase leaves room in the month, and a new top-up does not make more', async ({
  session,
}) => {
  const { customerId, clockId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
  const { id } = await aPrepaidTopUp(session, customerId, { mostPerMonth: 500 });
  await advance(session, clockId, '2026-01-02');
  const paymentMethod = { customerId, type: 'card', token: 'sandbox_success', default: true };
  await createPaymentMethod(fresh(session), { paymentMethod } as never);
  await updatePrepaidTopUp(fresh(session), { id, prepaidTopUp: { active: true } });
  await advance(session, clockId, '2026-01-03');
  await anInvoiceOf(session, customerId, 500);
  await updatePrepaidTopUp(fresh(session), { id, prepaidTopUp: { active: false } });
  await aPrepaidTopUp(session, customerId, { mostPerMonth: 500 });
  await advance(session, clockId, '2026-01-20');
  expect(await creditsOf(session, customerId)).toEqual([
    'top_up 500: void',
    'top_up 500: 500 used',
  ]);
});
