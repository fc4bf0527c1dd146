import { paidAsMoney } from '#domain/invoicing/crediting/credit-invoices.ts';
import { settleRefunded, writeCreditNote } from '#domain/invoicing/crediting/write-credit-note.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { openRefundStatuses, Refund } from '#domain/model/money/refund.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { recoverCredit } from '#domain/money/outcomes/retract-credit.ts';
import type { LockedPayment } from './lock-payment.ts';
import { followLost } from './return-paid.ts';

type Locked = Pick<LockedPayment, 'payment' | 'invoice' | 'customer'>;

const heading = { reason: 'dispute_lost', description: 'The payment was disputed' } as const;

/**
 * Updates the amount that lost disputes have taken away from a locked payment, with its documents and the status of its
 * invoice. A refund that is not decided counts as made; if it fails, its amount was lost, too.
 */
export async function reverseLost(session: Session, locked: Locked): Promise<void> {
  const { em, now } = session;
  const { payment, invoice } = locked;
  const disputes = await em.find(Dispute, { payment: payment.id, status: 'lost' });
  const lost = sumOf(disputes.map(({ withdrawnAmount }) => withdrawnAmount));
  const change = Math.min(lost, await unrefunded(session, payment)) - payment.reversedAmount;
  if (change === 0) return;
  if (change > 0) await noteLostDispute(session, locked, change);
  else creditReinstated(locked, -change, now);
  // The lost amount is not collected again: the seller decides about another invoice.
  await followLost(session, invoice);
}

/** The amount of a payment that is not refunded, in minor units. */
export async function unrefunded({ em }: Session, payment: Payment): Promise<number> {
  const open = { payment: payment.id, status: { $in: [...openRefundStatuses] } };
  const pending = sumOf((await em.find(Refund, open)).map(({ amount }) => amount));
  return Math.max(0, payment.amount - payment.refundedAmount - pending);
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Takes an amount that the customer's bank has taken away with a lost dispute off a locked payment. A credit note for
 * the invoice states it. A part that the customer has as a credit is deducted from the balance; where the credit was
 * used, from the invoices that it has paid. A part that is not found there is not counted.
 */
async function noteLostDispute(session: Session, locked: Locked, amount: number) {
  const { payment, invoice, customer } = locked;
  const ofCredit = Math.min(amount, payment.creditedAmount);
  // As of before the loss.
  const of = Math.min(amount - ofCredit, await paidAsMoney(session, invoice));
  payment.reversedAmount += amount;
  payment.reversedAt = session.now;
  payment.creditedAmount -= ofCredit;
  if (of > 0) {
    const note = writeCreditNote(session, customer, invoice, {
      ...heading,
      of,
      settle: () => ({}),
    });
    settleRefunded(note, invoice, of);
  }
  await session.em.flush();
  const { taken, rest } = await recoverCredit(session, customer, amount - of);
  payment.reversedAmount -= rest;
  payment.creditedAmount += Math.min(rest, ofCredit);
  if (payment.reversedAmount === 0) payment.reversedAt = null;
  // The credit covers the amounts that credit notes have returned for this invoice.
  invoice.amountWaived += Math.max(0, amount - of - ofCredit - rest);
  for (const [other, part] of taken) await noteLostCredit(session, customer, other, part);
}

/** Writes off what credit has paid for an invoice, as that credit is lost. An open invoice is owed again instead. */
async function noteLostCredit(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  amount: number,
) {
  if (invoice.isPayable) return;
  const settle = (writtenOff: number) => ({ writtenOff });
  writeCreditNote(session, customer, invoice, { ...heading, of: amount, settle });
  await followLost(session, invoice);
}

/**
 * Credits an amount that a lost dispute has returned to the seller after all. The credit note for it does not change,
 * so the customer's balance gets the amount.
 */
function creditReinstated({ payment, customer }: Locked, amount: number, now: Date) {
  payment.reversedAmount -= amount;
  payment.reversedAt = payment.reversedAmount > 0 ? now : null;
  payment.creditedAmount += amount;
  customer.creditBalance += amount;
}
