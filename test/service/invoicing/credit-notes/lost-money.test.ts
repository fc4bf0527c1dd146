// @module-tag long
import { describe, expect } from 'vitest';
import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  markInvoiceUncollectible,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { expectPayment } from '#domain/money/commands/remittances/expect-payment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { reversePayment } from '#domain/money/commands/remittances/reverse-payment.ts';
import { anOpenInvoice, aPaidInvoice, fresh } from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { settleDisputeOf } from '../../../support/records/disputes.ts';
import { testAlone } from '../../../support/test.ts';

/** Documents, money and books agree at the end of each test. */
const test = testAlone('it changes the database or its connections').extend(
  'agreeing',
  { auto: true },
  async ({ session }, { onCleanup }) => {
    onCleanup(() => expectMoneyToAgree(session));
  },
);

const credit = (session: Session, invoiceId: string, amount: number, settle = 'credit' as const) =>
  createCreditNote(fresh(session), { creditNote: { invoiceId, settle, reason: 'other', amount } });
const record = (session: Session, invoiceId: string, amount: number) =>
  recordPayment(fresh(session), { invoiceId, amount, method: 'check' });
const reverse = (session: Session, { id }: { id: string }) =>
  reversePayment(fresh(session), { id, reason: 'Bounced' });
const invoiceOf = (session: Session, id: string) => fresh(session).em.findOneOrFail(Invoice, id);
const paymentOf = (session: Session, invoice: string) =>
  fresh(session).em.findOneOrFail(Payment, { invoice, status: ['succeeded', 'refunded'] });
const balanceOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Customer, id)).creditBalance;
const notesOf = async (session: Session, invoice: string) =>
  (await fresh(session).em.find(CreditNote, { invoice }, { orderBy: { position: 'asc' } })).map(
    ({ reason, settlement, total }) => `${reason} ${settlement} ${total}`,
  );
const lose = async (session: Session, invoice: string, withdrawnAmount: number) =>
  settleDisputeOf(fresh(session), (await paymentOf(session, invoice)).id, {
    status: 'lost',
    withdrawnAmount,
  });

describe('a lost dispute of a payment of which a part was credited', () => {
  test('is deducted from the balance, and written off where the balance has paid', async ({
    session,
  }) => {
    const { id, customerId } = await aPaidInvoice(session);
    await credit(session, id, 400);
    const { id: another } = await anOpenInvoice(session, {
      customerId,
      lines: [{ quantity: 1, price: 300 }],
    });
    await lose(session, id, 1_000);
    expect(await notesOf(session, id)).toEqual(['other credit 400', 'dispute_lost refund 600']);
    expect(await notesOf(session, another)).toEqual(['dispute_lost write_off 300']);
    expect(await invoiceOf(session, another)).toMatchObject({ status: 'uncollectible' });
    expect(await balanceOf(session, customerId)).toBe(0);
  });

  test('makes an open invoice owed again that the credit has paid in part', async ({ session }) => {
    const { id, customerId } = await aPaidInvoice(session);
    await credit(session, id, 400);
    const { id: another } = await anOpenInvoice(session, { customerId });
    await lose(session, id, 1_000);
    expect(await invoiceOf(session, another)).toMatchObject({ status: 'open', creditApplied: 0 });
    expect(await notesOf(session, another)).toEqual([]);
  });

  test('leaves an invoice paid of which the rest was paid by charge', async ({ session }) => {
    const { id, customerId } = await aPaidInvoice(session);
    await credit(session, id, 400);
    const { id: another } = await aPaidInvoice(session, { customerId });
    await lose(session, id, 1_000);
    expect(await invoiceOf(session, another)).toMatchObject({ status: 'paid', creditApplied: 0 });
    await lose(session, another, 600);
    expect(await invoiceOf(session, another)).toMatchObject({ status: 'uncollectible' });
  });

  test('is taken from the credit of a void invoice', async ({ session }) => {
    const { id, customerId } = await anOpenInvoice(session);
    const check = await record(session, id, 400);
    await payInvoice(fresh(session), { id });
    await reverse(session, check);
    await voidInvoice(fresh(session), { id });
    const { id: another } = await anOpenInvoice(session, {
      customerId,
      lines: [{ quantity: 1, price: 600 }],
    });
    await lose(session, id, 600);
    expect(await notesOf(session, another)).toEqual(['dispute_lost write_off 600']);
    expect(await paymentOf(session, id)).toMatchObject({ creditedAmount: 0, reversedAmount: 600 });
  });

  test('counts what is found of it: never more than the payment with its refunds', async ({
    session,
  }) => {
    const { id } = await aPaidInvoice(session);
    const payment = await paymentOf(session, id);
    await refundPayment(fresh(session), { id: payment.id, partialAmount: 300 });
    await lose(session, id, 1_000);
    expect(await paymentOf(session, id)).toMatchObject({
      refundedAmount: 300,
      reversedAmount: 700,
    });
  });
});

describe('a reversal', () => {
  test('lets the credit of a credit note pay its invoice, so that the rest is due', async ({
    session,
  }) => {
    const { id, customerId } = await anOpenInvoice(session);
    const check = await record(session, id, 1_000);
    await credit(session, id, 400);
    await reverse(session, check);
    expect(await invoiceOf(session, id)).toMatchObject({ status: 'open', creditApplied: 400 });
    expect(await balanceOf(session, customerId)).toBe(0);
    await markInvoiceUncollectible(fresh(session), { id });
    expect(await notesOf(session, id)).toEqual(['other credit 400', 'uncollectible write_off 600']);
  });

  test('opens the invoice again that the credit of a credit note has paid', async ({ session }) => {
    const { id, customerId } = await anOpenInvoice(session);
    const check = await record(session, id, 1_000);
    await credit(session, id, 400);
    const { id: another } = await aPaidInvoice(session, { customerId });
    await reverse(session, check);
    expect(await invoiceOf(session, id)).toMatchObject({ status: 'open', creditApplied: 400 });
    expect(await invoiceOf(session, another)).toMatchObject({ status: 'open', creditApplied: 0 });
  });

  test('takes an over-payment from an invoice of which a charge was refunded', async ({
    session,
  }) => {
    const { id, customerId } = await anOpenInvoice(session);
    const check = await record(session, id, 1_400);
    const { id: another } = await aPaidInvoice(session, { customerId });
    await refundPayment(fresh(session), { id: (await paymentOf(session, another)).id });
    await reverse(session, check);
    expect(await invoiceOf(session, another)).toMatchObject({ status: 'open', creditApplied: 0 });
    expect(await fresh(session).em.findOneOrFail(Customer, customerId)).toMatchObject({
      amountOwed: 1_400,
    });
  });

  test('is refused, with the formatted amount, while the credit pays a charged invoice', async ({
    session,
  }) => {
    const { id, customerId } = await anOpenInvoice(session);
    const check = await record(session, id, 1_400);
    const another = await anOpenInvoice(session, { customerId, token: 'sandbox_slow' });
    await payInvoice(fresh(session), { id: another.id });
    await expect(reverse(session, check)).rejects.toMatchObject({
      issues: [{ message: expect.stringMatching(/^400 \(USD 4.00\) of the customer's credit/) }],
    });
  });
});

describe('an amount is returned once', () => {
  test('also while its invoice is open: the balance pays for a refund of what was credited', async ({
    session,
  }) => {
    const { id, customerId } = await anOpenInvoice(session);
    await record(session, id, 400);
    await credit(session, id, 400);
    const refund = createCreditNote(fresh(session), {
      creditNote: { invoiceId: id, settle: 'refund', reason: 'other', amount: 1 },
    });
    await expect(refund).rejects.toMatchObject({
      issues: [
        {
          message:
            'must be at most 0 (USD 0.00) with tax, the payments that can be refunded: an unpaid invoice is settled by write_off',
        },
      ],
    });
    await refundPayment(fresh(session), { id: (await paymentOf(session, id)).id });
    expect(await balanceOf(session, customerId)).toBe(0);
    expect(await notesOf(session, id)).toEqual(['other credit 400']);
    expect(await fresh(session).em.findOneOrFail(Customer, customerId)).toMatchObject({
      amountOwed: 600,
    });
    await markInvoiceUncollectible(fresh(session), { id });
  });
});

describe('the database', () => {
  test('keeps a receipt as it was received, with its payments and their currency', async ({
    session,
  }) => {
    const { id, customerId } = await anOpenInvoice(session);
    const { id: receipt } = await record(session, id, 400);
    const { em } = fresh(session);
    for (const change of [
      'amount = 500',
      `method = 'cash'`,
      `reference = 'X'`,
      `currency = 'EUR'`,
      `status = 'expected', received_at = null`,
    ]) {
      const sql = `update remittance set ${change} where id = ?`;
      await expect(em.execute(sql, [receipt]), change).rejects.toThrow(/does not change/);
    }
    await expect(em.execute('delete from remittance')).rejects.toThrow(/does not change/);
    const reversed = `update remittance set status = 'reversed', reversed_at = now() where id = ?`;
    await expect(em.execute(reversed, [receipt])).rejects.toThrow(/its payments amount to 400/);
    const expected = { customerId, amount: 400, currency: 'USD' };
    const { id: other } = await expectPayment(fresh(session), expected);
    await expect(
      em.execute(`update remittance set status = 'received', received_at = now() where id = ?`, [
        other,
      ]),
    ).rejects.toThrow(/its payments amount to 0/);
    const copy = `insert into remittance select (jsonb_populate_record(r, jsonb_build_object('id', 'remittance_eur',
      'position', 1000000, 'currency', 'EUR', 'status', 'expected', 'received_at', null))).* from remittance r where id = ?`;
    await em.execute(copy, [receipt]);
    const moved = em.transactional(async (em) => {
      await em.execute('alter table payment disable trigger payment_kept');
      await em.execute(
        `update payment set remittance_id = 'remittance_eur' where remittance_id = ?`,
        [receipt],
      );
    });
    await expect(moved).rejects.toThrow(/payment_remittance_currency/);
  });

  test('moves a dispute on only, and keeps it at its payment', async ({ session }) => {
    const { id } = await aPaidInvoice(session);
    await lose(session, id, 300);
    const { em } = fresh(session);
    for (const change of [`status = 'opened', closed_at = null`, `currency = 'EUR'`]) {
      await expect(em.execute(`update dispute set ${change}`), change).rejects.toThrow(/cannot go/);
    }
    await expect(em.execute('update dispute set closed_at = null')).rejects.toThrow(
      /dispute_closed/,
    );
  });

  test('opens an inquiry that was closed without the time of its end', async ({ session }) => {
    const { id } = await aPaidInvoice(session);
    const payment = await paymentOf(session, id);
    for (const status of ['inquiry', 'inquiry_closed', 'opened'] as const) {
      await settleDisputeOf(fresh(session), payment.id, { status, withdrawnAmount: 0 });
    }
    expect(await fresh(session).em.findOneOrFail(Dispute, { payment: payment.id })).toMatchObject({
      status: 'opened',
      closedAt: null,
    });
  });

  test('refuses a gap in the numbers of credit notes, and lines that differ', async ({
    session,
  }) => {
    const { id, customerId } = await aPaidInvoice(session);
    await credit(session, id, 400);
    const { em } = fresh(session);
    const note = (amount: number, count: number) =>
      em.transactional(async (em) => {
        await em.execute(
          `insert into credit_note select (jsonb_populate_record(n, jsonb_build_object('id', 'credit_note_x',
             'position', 1000000, 'credit_note_number', 'X', 'total', 100, 'subtotal', 100, 'credited_amount', 100))).*
           from credit_note n where invoice_id = ?`,
          [id],
        );
        await em.execute(
          `insert into credit_note_line (id, organization_id, credit_note_id, position, description, amount, tax_amount)
           select 'credit_note_line_x', organization_id, id, 0, 'X', ?, 0 from credit_note where id = 'credit_note_x'`,
          [amount],
        );
        await em.execute('update invoice set amount_credited = 500 where id = ?', [id]);
        await em.execute('update customer set credit_note_count = ? where id = ?', [
          count,
          customerId,
        ]);
        await em.execute('set constraints all immediate');
      });
    await expect(note(100, 3)).rejects.toThrow(/leaves a gap/);
    await expect(note(99, 2)).rejects.toThrow(/sum up to 99/);
  });
});
