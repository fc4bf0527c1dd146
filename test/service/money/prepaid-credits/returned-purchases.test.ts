import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxRefund } from '#domain/model/money/sandbox-objects.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { reversePayment } from '#domain/money/commands/remittances/reverse-payment.ts';
import { applyRefund } from '#domain/money/refunds/apply-refund.ts';
import { expectMoneyToAgree, setCredit } from '../../../support/money.ts';
import {
  anInvoiceOf,
  aPayer,
  aPrepaidCredit,
  creditsOf,
  invoiceOf,
} from '../../../support/prepaid.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at, fresh } from '../../../support/timeline.ts';

/** Whatever a test does, documents, money and books agree in the end. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectMoneyToAgree(session));
});

const balanceOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Customer, id)).creditBalance;
const paymentOf = (session: Session, invoice: string) =>
  fresh(session).em.findOneOrFail(Payment, { invoice, status: 'succeeded' });
const reverse = (session: Session, { id }: { readonly id: string }) =>
  reversePayment(fresh(session), { id, reason: 'Bounced' });
const receipt = (session: Session, invoiceId: string, amount: number) =>
  recordPayment(fresh(session), { invoiceId, amount, method: 'check' });

/** A purchase of 100 that is paid by card. */
async function aPurchase(session: Session, terms: { readonly validDays?: number } = {}) {
  const { customerId, clockId } = await aPayer(session);
  const order = { source: 'purchase', amount: 100, ...terms } as const;
  const { invoiceId } = await aPrepaidCredit(session, customerId, order);
  return { customerId, clockId, id: invoiceId ?? '' };
}

/** A purchase of 100 that receipts over 60 and 40 have paid. */
async function aPurchaseByReceipts(session: Session, terms: { readonly validDays?: number } = {}) {
  const { customerId, clockId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
  const order = { source: 'purchase', amount: 100, ...terms } as const;
  const { invoiceId } = await aPrepaidCredit(session, customerId, order);
  const id = invoiceId ?? '';
  return {
    customerId,
    clockId,
    id,
    sixty: await receipt(session, id, 60),
    forty: await receipt(session, id, 40),
  };
}

/** A refund that someone makes at the processor. Returns a function that lets it fail there. */
async function refundThere(session: Session, invoice: string) {
  const { em } = fresh(session);
  const { id, idempotencyKey, amount } = await paymentOf(session, invoice);
  const charge = await em.findOneOrFail(SandboxCharge, idempotencyKey);
  charge.refunded += amount;
  const key = `there_${id}`;
  const refund = em.create(SandboxRefund, {
    idempotencyKey: key,
    organizationId: charge.organizationId,
    chargeKey: idempotencyKey,
    amount,
    currency: 'USD',
    status: 'succeeded',
    settlesAs: null,
    settlesAt: null,
  });
  await em.flush();
  const processor = 'sandbox' as const;
  const notice = () => applyRefund(fresh(session), { processor, reference: `sandbox_re_${key}` });
  expect(await notice()).toBe('applied');
  return async () => {
    Object.assign(refund, { settlesAs: 'failed', settlesAt: at('2026-01-01') });
    await em.flush();
    expect(await notice()).toBe('applied');
  };
}

describe('a refund of bought credit', () => {
  test('returns the unused part, and is not paid from an unrelated balance', async ({
    session,
  }) => {
    const { customerId, id } = await aPurchase(session);
    await anInvoiceOf(session, customerId, 60);
    await setCredit(session, customerId, 60);
    const payment = await paymentOf(session, id);
    await refundPayment(fresh(session), { id: payment.id });
    expect(await paymentOf(session, id)).toMatchObject({ refundedAmount: 40 });
    expect(await balanceOf(session, customerId)).toBe(60);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 60 used, 40 revoked']);
    await expect(refundPayment(fresh(session), { id: payment.id })).rejects.toMatchObject({
      issues: [{ code: 'INVALID_STATE', path: ['id'] }],
    });
  });

  test('is paid from the balance where a credit note has put the amount there', async ({
    session,
  }) => {
    const { customerId, id } = await aPurchase(session);
    await createCreditNote(fresh(session), {
      creditNote: { invoiceId: id, amount: 30, settle: 'credit', reason: 'other' },
    });
    await setCredit(session, customerId, 50);
    await refundPayment(fresh(session), { id: (await paymentOf(session, id)).id });
    expect(await invoiceOf(session, id)).toMatchObject({ status: 'refunded' });
    expect(await balanceOf(session, customerId)).toBe(20);
  });

  test('at the processor revokes what remains, until it fails there', async ({ session }) => {
    const { customerId, id } = await aPurchase(session);
    await anInvoiceOf(session, customerId, 60);
    await setCredit(session, customerId, 60);
    const fail = await refundThere(session, id);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 60 used, 40 revoked']);
    expect(await balanceOf(session, customerId)).toBe(60);
    await fail();
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 40 left, 60 used']);
  });
});

describe('bought credit of which a receipt is reversed', () => {
  test('is lost when the rest of the receipts of a written off invoice is reversed', async ({
    session,
  }) => {
    const { customerId, id, sixty, forty } = await aPurchaseByReceipts(session);
    await reverse(session, sixty);
    await markInvoiceUncollectible(fresh(session), { id });
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 40 left, 60 revoked']);
    await reverse(session, forty);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 100 revoked']);
  });

  test('is lost when its written off invoice becomes void, since the money returns', async ({
    session,
  }) => {
    const { customerId, id, sixty } = await aPurchaseByReceipts(session);
    await reverse(session, sixty);
    await markInvoiceUncollectible(fresh(session), { id });
    await voidInvoice(fresh(session), { id });
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 100 revoked']);
    expect(await balanceOf(session, customerId)).toBe(40);
  });

  test('keeps its invoice from becoming void once it is used', async ({ session }) => {
    const { customerId, id, sixty } = await aPurchaseByReceipts(session);
    await anInvoiceOf(session, customerId, 100);
    await reverse(session, sixty);
    const refused = { issues: [{ code: 'INVALID_STATE', path: ['id'] }] };
    await expect(voidInvoice(fresh(session), { id })).rejects.toMatchObject(refused);
    await markInvoiceUncollectible(fresh(session), { id });
    await expect(voidInvoice(fresh(session), { id })).rejects.toMatchObject(refused);
    expect(await balanceOf(session, customerId)).toBe(0);
  });
});

describe('bought credit that ends while it pays nothing', () => {
  const creditOf = (session: Session, invoice: string) =>
    fresh(session).em.findOneOrFail(PrepaidCredit, { invoice });

  test('is valid for its days again from the payment of its reopened invoice on', async ({
    session,
  }) => {
    const terms = { validDays: 30 };
    const { customerId, clockId, id, sixty } = await aPurchaseByReceipts(session, terms);
    await anInvoiceOf(session, customerId, 20);
    await reverse(session, sixty);
    await advance(session, clockId, '2026-02-15');
    await receipt(session, id, 60);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 80 left, 20 used']);
    expect((await creditOf(session, id)).expiresAt).toEqual(at('2026-03-17'));
    expect(await anInvoiceOf(session, customerId, 80)).toMatchObject({ prepaidApplied: 80 });
  });

  test('is valid for its days again from a write-off on that leaves a part paid', async ({
    session,
  }) => {
    const terms = { validDays: 30 };
    const { customerId, clockId, id, sixty } = await aPurchaseByReceipts(session, terms);
    await reverse(session, sixty);
    await advance(session, clockId, '2026-02-15');
    await markInvoiceUncollectible(fresh(session), { id });
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 40 left, 60 revoked']);
    expect((await creditOf(session, id)).expiresAt).toEqual(at('2026-03-17'));
  });

  test('is valid for its days again from a failure of its refund on', async ({ session }) => {
    const { customerId, clockId, id } = await aPurchase(session, { validDays: 30 });
    await anInvoiceOf(session, customerId, 60);
    const fail = await refundThere(session, id);
    await advance(session, clockId, '2026-02-15');
    await fail();
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 40 left, 60 used']);
    expect((await creditOf(session, id)).expiresAt).toEqual(at('2026-03-17'));
  });

  test('gets no days again for a part that had expired before', async ({ session }) => {
    const terms = { validDays: 30 };
    const { customerId, clockId, id, sixty } = await aPurchaseByReceipts(session, terms);
    await advance(session, clockId, '2026-02-15');
    await reverse(session, sixty);
    await receipt(session, id, 60);
    expect(await creditsOf(session, customerId)).toEqual(['purchase 100: 100 expired']);
  });

  test('keeps its invoice from becoming void once a part has expired', async ({ session }) => {
    const terms = { validDays: 30 };
    const { customerId, clockId, id, sixty } = await aPurchaseByReceipts(session, terms);
    await anInvoiceOf(session, customerId, 30);
    await advance(session, clockId, '2026-02-15');
    await reverse(session, sixty);
    const message = `${id} has bought prepaid credit of which 30 (USD 0.30) is used and 70 (USD 0.70) has expired: mark it uncollectible instead`;
    await expect(voidInvoice(fresh(session), { id })).rejects.toMatchObject({
      issues: [{ code: 'INVALID_STATE', path: ['id'], message }],
    });
    expect(await balanceOf(session, customerId)).toBe(0);
  });

  test('keeps its invoice from becoming void when all of it has expired', async ({ session }) => {
    const { customerId, clockId, id, sixty } = await aPurchaseByReceipts(session, {
      validDays: 30,
    });
    await advance(session, clockId, '2026-02-15');
    await reverse(session, sixty);
    await expect(voidInvoice(fresh(session), { id })).rejects.toMatchObject({
      issues: [{ code: 'INVALID_STATE', path: ['id'] }],
    });
    expect(await balanceOf(session, customerId)).toBe(0);
  });
});

describe('an invoice whose receipt is reversed after a credit note', () => {
  test.for([
    ['void', voidInvoice],
    ['uncollectible', markInvoiceUncollectible],
  ] as const)(
    'returns to prepaid credit only what the balance has not got when it becomes %s',
    async ([, giveUp], { session }) => {
      const { customerId } = await aPayer(session, 'sandbox_decline_insufficient_funds');
      await aPrepaidCredit(session, customerId, { amount: 60 });
      const { id } = await anInvoiceOf(session, customerId, 100);
      const paid = await receipt(session, id, 40);
      await createCreditNote(fresh(session), {
        creditNote: { invoiceId: id, amount: 40, settle: 'credit', reason: 'other' },
      });
      await reverse(session, paid);
      await giveUp(fresh(session), { id });
      expect(await creditsOf(session, customerId)).toEqual(['gift 60: 20 left, 40 used']);
      expect(await balanceOf(session, customerId)).toBe(40);
    },
  );
});
