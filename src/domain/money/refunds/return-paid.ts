import { amountPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { followBoughtCredit } from '#domain/invoicing/crediting/follow-bought-credit.ts';
import { settleFailed } from '#domain/invoicing/crediting/write-credit-note.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Refund } from '#domain/model/money/refund.ts';
import { followReturnedPurchase } from '#domain/money/outcomes/settle-checkout.ts';
import type { LockedPayment } from './lock-payment.ts';

type Locked = Pick<LockedPayment, 'payment' | 'invoice' | 'customer'>;

/** Counts an amount of a payment as refunded, and updates the status of its invoice. */
export async function returnPaid(session: Session, { payment, invoice }: Locked, amount: number) {
  payment.refundedAmount += amount;
  payment.refundedAt = session.now;
  payment.refunded = payment.refundedAmount === payment.amount;
  payment.status = payment.refunded ? 'refunded' : 'succeeded';
  await followReturned(session, invoice);
}

/** Restores what a refund has taken off the balance, since it failed before any money moved. */
export async function restoreUnrefunded(session: Session, locked: Locked, refund: Refund) {
  const { payment, customer, invoice } = locked;
  const note = await refund.creditNote?.loadOrFail();
  if (note) settleFailed(note, locked, refund.amount - refund.fromBalance);
  customer.creditBalance += refund.fromBalance;
  payment.creditedAmount += refund.retractedAmount;
  await followBoughtCredit(session, invoice);
}

/**
 * Applies that the money of a refund is at the seller again. A credit note does not change, so the amount goes to the
 * customer's balance. A refund without a credit note leaves the payment and its invoice as before it.
 */
export async function restoreRefunded(session: Session, locked: Locked, refund: Refund) {
  const { payment, invoice, customer } = locked;
  payment.refundedAmount -= refund.amount;
  payment.refundedAt = session.now;
  payment.refunded = false;
  payment.status = 'succeeded';
  if (refund.isUndocumented) return followReturned(session, invoice);
  payment.creditedAmount += refund.amount;
  customer.creditBalance += refund.amount;
}

/** Follows that an amount of an invoice was returned, or is at the seller again. */
async function followReturned(session: Session, invoice: Invoice) {
  await session.em.flush();
  if (invoice.hasReceipt) await noteReturned(session, invoice);
  await followBoughtCredit(session, invoice);
}

/** The status of a paid invoice after that. */
async function noteReturned(session: Session, invoice: Invoice) {
  // Applied credit is not refunded yet. An over-payment that is refunded leaves its invoice paid.
  const paid = await amountPaid(session, invoice);
  const isWhole = paid >= invoice.total - (await writtenOffOf(session, invoice));
  if (isWhole) invoice.status = 'paid';
  else invoice.status = paid === 0 ? 'refunded' : 'partially_refunded';
  const left = paid === 0 ? 'nothing' : 'part';
  await followReturnedPurchase(session, invoice, isWhole ? 'all' : left);
}

/**
 * The status of an invoice after an amount that was paid for it is lost. The amount is not collected again, so an
 * invoice for which nothing is left is uncollectible. Its purchase follows as after a refund.
 */
export async function followLost(session: Session, invoice: Invoice) {
  await session.em.flush();
  if (!['paid', 'partially_refunded', 'uncollectible'].includes(invoice.status)) return;
  const paid = await amountPaid(session, invoice);
  const isWhole = paid >= invoice.total - (await writtenOffOf(session, invoice));
  if (paid === 0) invoice.status = 'uncollectible';
  // One that was written off stays so.
  else if (invoice.status !== 'uncollectible')
    invoice.status = isWhole ? 'paid' : 'partially_refunded';
  await followBoughtCredit(session, invoice);
  const left = isWhole ? 'all' : 'part';
  await followReturnedPurchase(session, invoice, paid === 0 ? 'nothing' : left);
}

async function writtenOffOf({ em }: Session, invoice: Invoice): Promise<number> {
  if (invoice.amountWaived === 0) return 0;
  const notes = await em.find(CreditNote, { invoice: invoice.id });
  return notes.reduce((sum, { writtenOffAmount }) => sum + writtenOffAmount, 0);
}
