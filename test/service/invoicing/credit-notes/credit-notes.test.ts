// @module-tag long
import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import type { CreditNoteInput } from '#domain/invoicing/commands/credit-notes/credit-note-input.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BookDifference } from '#domain/model/money/book-difference.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { settleDispute } from '#domain/money/refunds/apply-dispute.ts';
import { settleRefund } from '#domain/money/refunds/execute-refund.ts';
import { lockCharge, lockPayment } from '#domain/money/refunds/lock-payment.ts';
import { openRefund } from '#domain/money/refunds/open-refund.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { deleteTestClock } from '#domain/platform/commands/test-clocks/delete-test-clock.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { anOpenInvoice, aPaidInvoice, fresh } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { testAlone } from '../../../support/test.ts';
import { use, voidEvent } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

/** Documents, money and books agree at the end of each test. */
const test = testAlone('it runs jobs, which work for all organizations').extend(
  'agreeing',
  { auto: true },
  async ({ session }, { onCleanup }) => {
    onCleanup(() => expectMoneyToAgree(session));
  },
);

const credit = (session: Session, invoiceId: string, input: Partial<CreditNoteInput> = {}) =>
  createCreditNote(fresh(session), {
    creditNote: { invoiceId, settle: 'credit', reason: 'other', ...input },
  });
const notesOf = async (session: Session) => {
  const notes = await fresh(session).em.find(CreditNote, {}, { orderBy: { position: 'asc' } });
  return notes.map(
    (n) =>
      `${n.reason} ${n.total} ${n.status}: ${n.refundedAmount} refunded, ${n.creditedAmount} credited, ${n.writtenOffAmount} written off, ${n.setOffAmount} set off`,
  );
};
const paymentOf = (session: Session, invoice: string) =>
  fresh(session).em.findOneOrFail(Payment, { invoice });
const balanceOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Customer, id)).creditBalance;
/** Applies a state of a dispute, as the processor states it. */
const dispute = (session: Session, id: string, status: 'lost' | 'won', withdrawnAmount: number) =>
  command(fresh(session), async (session) => {
    const locked = await lockCharge(session, id);
    const { amount, currency, chargeDate: openedAt } = locked.parts[0].payment;
    await settleDispute(locked, {
      reference: 'dp_1',
      paymentReference: null,
      chargeReference: null,
      status,
      amount,
      currency,
      reason: null,
      withdrawnAmount,
      fee: 0,
      evidenceDueAt: null,
      openedAt,
    });
  });
const keepCredit = (session: Session) =>
  updateOrganization(fresh(session), { organization: { prorationCredit: 'balance' } });

describe('a credit note exists for', () => {
  test('each refund of a payment, numbered without a gap', async ({ session }) => {
    const { id } = await aPaidInvoice(session);
    const payment = await paymentOf(session, id);
    for (const partialAmount of [300, 700]) {
      await refundPayment(fresh(session), { id: payment.id, partialAmount });
    }
    const notes = await fresh(session).em.find(CreditNote, { invoice: id });
    const { invoiceNumberBase } = await fresh(session).em.findOneOrFail(
      Customer,
      payment.customerId,
    );
    expect(notes.map(({ creditNoteNumber }) => creditNoteNumber)).toEqual([
      `${invoiceNumberBase}-CN-00000`,
      `${invoiceNumberBase}-CN-00001`,
    ]);
    expect(await notesOf(session)).toEqual([
      'refund 300 settled: 300 refunded, 0 credited, 0 written off, 0 set off',
      'refund 700 settled: 700 refunded, 0 credited, 0 written off, 0 set off',
    ]);
  });

  test('an invoice that is written off, and counts no more when that is void', async ({
    session,
  }) => {
    const { id, customerId } = await anOpenInvoice(session);
    await markInvoiceUncollectible(fresh(session), { id });
    expect(await notesOf(session)).toEqual([
      'uncollectible 1000 settled: 0 refunded, 0 credited, 1000 written off, 0 set off',
    ]);
    await expectMoneyToAgree(session);
    await voidInvoice(fresh(session), { id });
    expect(await balanceOf(session, customerId)).toBe(0);
  });

  test('the unused part of a period, with its tax', async ({ session }) => {
    await keepCredit(session);
    await updateOrganization(fresh(session), {
      organization: { taxType: 'vat', taxRatePercentage: '19' },
    });
    const it = await anAdjustable(session, { unitPrice: 2_000 });
    await it.toDay(15);
    await it.adjust([{ priceId: await it.monthly(200) }]);
    const [note] = await fresh(session).em.find(CreditNote, {});
    expect(note).toMatchObject({ reason: 'plan_changed', subtotal: 900, taxAmount: 171 });
    expect(await balanceOf(session, it.customer.id)).toBe(1_071);
  });

  test('voided usage that the next invoice sets off, settled by the balance when that is void', async ({
    session,
  }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 10);
    await it.to('2026-02-02');
    await voidEvent(session, event?.id ?? '');
    await use(session, it, 25);
    await it.declines();
    await it.to('2026-03-02');
    const [, corrected, open] = await it.invoices();
    const [note] = await fresh(session).em.find(CreditNote, {});
    expect(note).toMatchObject({ invoiceId: corrected?.id, setOffInvoiceId: open?.id });
    expect(await notesOf(session)).toEqual([
      'usage_corrected 1000 settled: 0 refunded, 0 credited, 0 written off, 1000 set off',
    ]);
    await expectMoneyToAgree(session);
    await it.void();
    expect(await notesOf(session)).toEqual([
      'usage_corrected 1000 settled: 0 refunded, 1000 credited, 0 written off, 0 set off',
    ]);
    expect(await it.credit()).toBe(1_000);
  });

  test('usage that is voided after the end of its subscription', async ({ session }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 45);
    await it.to('2026-01-15');
    await it.cancel();
    await it.to('2026-01-16');
    await voidEvent(session, event?.id ?? '');
    expect(await notesOf(session)).toEqual([
      'usage_corrected 4500 settled: 0 refunded, 4500 credited, 0 written off, 0 set off',
    ]);
    expect(await it.credit()).toBe(4_500);
  });

  test('a dispute that is lost', async ({ session }) => {
    const { id } = await aPaidInvoice(session);
    const payment = await paymentOf(session, id);
    await dispute(session, payment.id, 'lost', 400);
    expect(await notesOf(session)).toEqual([
      'dispute_lost 400 settled: 400 refunded, 0 credited, 0 written off, 0 set off',
    ]);
    expect((await fresh(session).em.findOneOrFail(Invoice, id)).status).toBe('partially_refunded');
  });

  test('a dispute that is lost, also after the money is there again: the balance gets it', async ({
    session,
  }) => {
    const { id, customerId } = await aPaidInvoice(session);
    const payment = await paymentOf(session, id);
    await dispute(session, payment.id, 'lost', 1_000);
    await expectMoneyToAgree(session);
    await dispute(session, payment.id, 'won', 0);
    expect(await notesOf(session)).toEqual([
      'dispute_lost 1000 settled: 1000 refunded, 0 credited, 0 written off, 0 set off',
    ]);
    expect(await balanceOf(session, customerId)).toBe(1_000);
  });
});

describe('an amount that was credited', () => {
  test('is not refunded as well: the balance pays for that part of a refund', async ({
    session,
  }) => {
    const { id, customerId } = await aPaidInvoice(session);
    await credit(session, id, { amount: 400 });
    const payment = await paymentOf(session, id);
    await refundPayment(fresh(session), { id: payment.id });
    expect(await notesOf(session)).toEqual([
      'other 400 settled: 0 refunded, 400 credited, 0 written off, 0 set off',
      'refund 600 settled: 600 refunded, 0 credited, 0 written off, 0 set off',
    ]);
    expect(await balanceOf(session, customerId)).toBe(0);
    expect(await paymentOf(session, id)).toMatchObject({ refundedAmount: 1_000 });
  });

  test('is not refunded once the balance has been used', async ({ session }) => {
    const { id, customerId } = await aPaidInvoice(session);
    await credit(session, id, { amount: 400 });
    await anOpenInvoice(session, { customerId });
    const payment = await paymentOf(session, id);
    const refund = refundPayment(fresh(session), { id: payment.id, partialAmount: 601 });
    await expect(refund).rejects.toMatchObject({
      issues: [{ message: 'must be at most 600 (USD 6.00), the amount not yet refunded' }],
    });
    const { refundedAmount } = await refundPayment(fresh(session), { id: payment.id });
    expect(refundedAmount).toBe(600);
  });

  test('is not set off against new usage as well', async ({ session }) => {
    const it = await aBilled(session);
    const [event] = await use(session, it, 10);
    await it.to('2026-02-02');
    const [, billed] = await it.invoices();
    await credit(session, billed?.id ?? '', { whole: true });
    await voidEvent(session, event?.id ?? '');
    await use(session, it, 25);
    await it.to('2026-03-02');
    expect(await it.totals()).toEqual([2_000, 3_000, 0, 4_500]);
  });
});

describe('a refund that fails', () => {
  const failing = async (session: Session) => {
    const { id, customerId } = await aPaidInvoice(session);
    await credit(session, id, { amount: 400 });
    const { id: paymentId } = await paymentOf(session, id);
    const refundId = await command(fresh(session), async (session) => {
      const { session: then, ...locked } = await lockPayment(session, paymentId);
      const refund = await openRefund(then, locked, 1_000, { reason: 'refund' });
      await then.em.flush();
      return refund.id;
    });
    await expectMoneyToAgree(session);
    expect(await balanceOf(session, customerId)).toBe(0);
    const refused = { reference: null, failureCode: null, failureMessage: null } as const;
    await settleRefund(fresh(session), refundId, { status: 'failed', ...refused });
    expect(await balanceOf(session, customerId)).toBe(400);
    return id;
  };

  test('leaves a credit note without effect, and the invoice can be credited again', async ({
    session,
  }) => {
    const id = await failing(session);
    expect((await notesOf(session))[1]).toBe(
      'refund 600 failed: 0 refunded, 0 credited, 0 written off, 0 set off',
    );
    await credit(session, id, { whole: true, settle: 'refund' });
    expect(await fresh(session).em.findOneOrFail(Invoice, id)).toMatchObject({
      amountCredited: 1_000,
    });
  });
});

describe('the database', () => {
  test('lets one of two credit notes for the rest of an invoice pass', async ({ session }) => {
    const { id } = await aPaidInvoice(session);
    const both = [1, 2, 3].map(() => credit(session, id, { amount: 600 }));
    const done = await Promise.allSettled(both);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await notesOf(session)).toHaveLength(1);
  });

  test('lets a refund and a credit note for the rest of an invoice pass once', async ({
    session,
  }) => {
    const { id } = await aPaidInvoice(session);
    const payment = await paymentOf(session, id);
    await Promise.allSettled([
      credit(session, id, { whole: true, settle: 'refund' }),
      refundPayment(fresh(session), { id: payment.id }),
      credit(session, id, { whole: true }),
    ]);
    expect(await fresh(session).em.findOneOrFail(Invoice, id)).toMatchObject({
      amountCredited: 1_000,
    });
  });

  test('refuses every change but that of the settlement, and deletion', async ({ session }) => {
    const { id } = await aPaidInvoice(session);
    await credit(session, id, { amount: 400 });
    const { em } = fresh(session);
    for (const change of [
      'total = 500, subtotal = 500',
      `credit_note_number = 'x'`,
      `reason = 'duplicate'`,
      `settlement = 'refund'`,
      `status = 'pending', credited_amount = 0`,
      'issued_at = now()',
    ]) {
      await expect(em.execute(`update credit_note set ${change}`), change).rejects.toThrow(
        /a credit note does not change/,
      );
    }
    await expect(em.execute('update credit_note_line set amount = 1')).rejects.toThrow(
      /not change/,
    );
    await expect(em.execute('delete from credit_note_line')).rejects.toThrow(/not change/);
    await expect(em.execute('delete from credit_note')).rejects.toThrow(/not change/);
  });

  test('refuses sums above the invoice, and sums that its credit notes do not state', async ({
    session,
  }) => {
    const { id } = await aPaidInvoice(session);
    await credit(session, id, { amount: 400 });
    const { em } = fresh(session);
    const another = `insert into credit_note (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
        invoice_id, customer_id, credit_note_number, issued_at, status, settlement, reason, currency, subtotal,
        tax_amount, tax_inclusive, total, credited_amount)
      select id || 'x', created_at, updated_at, livemode, organization_id, pricing_model_id, invoice_id, customer_id,
        'x', issued_at, status, settlement, reason, currency, 700, 0, false, 700, 700 from credit_note
      where invoice_id = '${id}'`;
    await expect(em.execute(another)).rejects.toThrow(/sum up to 1100/);
    const both = em.transactional(async (em) => {
      await em.execute(another);
      await em.execute('update invoice set amount_credited = 1100 where id = ?', [id]);
    });
    await expect(both).rejects.toThrow(/invoice_credited/);
  });

  test('deletes the documents of a test clock with its customers', async ({ session }) => {
    const it = await aBilled(session);
    await it.refund();
    expect(await notesOf(session)).toHaveLength(1);
    await deleteTestClock(fresh(session), { id: it.clockId });
    expect(await notesOf(session)).toEqual([]);
  });
});

describe('the nightly check of the books', () => {
  test('stores, emits and reports a difference, and resolves it when it is gone', async ({
    session,
  }) => {
    const { customerId } = await aPaidInvoice(session);
    const reported: string[] = [];
    const check = () =>
      checkBooks(session.em, new Date(), 'check-books', (error) => {
        reported.push((error as Error).message);
      });
    const change = (by: number) =>
      fresh(session).em.execute(
        'update customer set credit_balance = credit_balance + ? where id = ?',
        [by, customerId],
      );
    await change(7);
    expect(await check()).toMatchObject({ differences: 1 });
    await check();
    expect(reported.filter((message) => message.includes(customerId))).toEqual(
      Array(2).fill(`The books of ${customerId} differ by 7 USD: 1000 - 0 - 1000 + 0 ≠ 0 + -7`),
    );
    const [found, ...others] = await fresh(session).em.find(BookDifference, {});
    expect({ found, others }).toMatchObject({
      found: { customerId, currency: 'USD', difference: 7, resolvedAt: null },
      others: [],
    });
    await change(-7);
    expect(await check()).toMatchObject({ differences: 0 });
    const resolved = await fresh(session).em.findOneOrFail(BookDifference, found?.id ?? '');
    expect(resolved.resolvedAt).toBeInstanceOf(Date);
    const events = await fresh(session).em.find(
      Event,
      { objectId: found?.id ?? '' },
      { orderBy: { id: 'asc' } },
    );
    expect(events.map(({ type }) => type)).toEqual([
      'book_difference.created',
      'book_difference.updated',
    ]);
  });
});
