import { Dispute } from '#domain/disputes/dispute.ts';
import type { Session } from '#domain/kernel/session.ts';
import { openRefundStatuses, Refund } from '#domain/payments/refund.ts';
import { amountPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { uncredited } from '#domain/rules/invoicing/credit-invoices.ts';
import { settleRefunded, writeCreditNote } from '#domain/rules/invoicing/write-credit-note.ts';
import type { LockedPayment } from './lock-payment.ts';

type Locked = Pick<LockedPayment, 'payment' | 'invoice' | 'customer'>;

/**
 * Updates what lost disputes have taken away from a locked payment, with its documents and the status of its invoice. A
 * refund that is not decided counts as made; if it fails, its amount was lost, too.
 */
export async function reverseLost(session: Session, locked: Locked): Promise<void> {
  const { em, now } = session;
  const { payment, invoice } = locked;
  const disputes = await em.find(Dispute, { payment: payment.id, status: 'lost' });
  const lost = sumOf(disputes.map(({ withdrawnAmount }) => withdrawnAmount));
  const open = { payment: payment.id, status: { $in: [...openRefundStatuses] } };
  const pending = sumOf((await em.find(Refund, open)).map(({ amount }) => amount));
  const reversed = Math.max(0, Math.min(lost, payment.amount - payment.refundedAmount - pending));
  const change = reversed - payment.reversedAmount;
  if (change === 0) return;
  payment.reversedAmount = reversed;
  payment.reversedAt = reversed > 0 ? now : null;
  if (change > 0) await noteLostDispute(session, locked, change);
  else creditReinstated(locked, -change);
  await em.flush();
  if (!['paid', 'partially_refunded', 'uncollectible'].includes(invoice.status)) return;
  // What was lost is not collected again: the seller decides about another invoice.
  const paid = await amountPaid(session, invoice);
  if (paid >= invoice.total) invoice.status = 'paid';
  else invoice.status = paid > 0 ? 'partially_refunded' : 'uncollectible';
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Writes the credit note for an amount that the customer's bank has taken away from a locked payment with a lost
 * dispute. A part that the customer has as a credit is deducted from the balance, as far as that reaches.
 */
async function noteLostDispute(session: Session, locked: Locked, amount: number) {
  const { payment, invoice, customer } = locked;
  const retracted = Math.min(amount, payment.creditedAmount, customer.creditBalance);
  payment.creditedAmount -= retracted;
  const of = Math.min(amount - retracted, await uncredited(session, invoice));
  if (of > 0) {
    const description = 'The payment was disputed';
    const heading = { of, reason: 'dispute_lost', description, settle: () => ({}) } as const;
    settleRefunded(writeCreditNote(session, customer, invoice, heading), invoice, of);
  }
  customer.creditBalance -= Math.min(amount - of, customer.creditBalance);
}

/**
 * Credits an amount that a lost dispute has returned to the seller after all. The credit note for it does not change,
 * so the customer's balance gets the amount.
 */
function creditReinstated({ payment, customer }: Locked, amount: number) {
  payment.creditedAmount += amount;
  customer.creditBalance += amount;
}
