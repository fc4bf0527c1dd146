import type { Invoice } from '#domain/invoices/invoice.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { Refund } from '#domain/payments/refund.ts';
import { amountPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { settleFailed, settleRefunded } from '#domain/rules/invoicing/write-credit-note.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import { processorOf } from './processor-of.ts';
import { lockPayment } from './settle-payment.ts';

/** Executes a refund through the processor, once however often it is called, and applies the outcome. */
export async function executeRefund(session: Session, refundId: string): Promise<void> {
  refuseTransaction(session);
  const present = afresh(session);
  const refund = await present.em.findOneOrFail(Refund, refundId, { populate: ['payment'] });
  if (refund.status !== 'pending') return;
  const { idempotencyKey: chargeKey } = refund.payment.unwrap();
  const outcome = await processorOf(session).refund(present, {
    idempotencyKey: refund.id,
    chargeKey,
    amount: refund.amount,
  });
  await command(afresh(session), (session) => settleRefund(session, refund, outcome));
}

export async function settleRefund(
  session: Session,
  { id, paymentId, amount }: Refund,
  outcome: 'succeeded' | 'failed',
) {
  const { payment, invoice, customer, session: then } = await lockPayment(session, paymentId);
  const refund = await then.em.findOneOrFail(Refund, id, { refresh: true });
  if (refund.status !== 'pending') return;
  refund.status = outcome;
  const note = await refund.creditNote?.loadOrFail();
  const noted = amount - refund.fromBalance;
  if (outcome === 'failed') {
    customer.creditBalance += refund.fromBalance;
    if (note) settleFailed(note, { invoice, customer }, noted);
    refund.failureMessage = 'The payment processor refused the refund';
    return;
  }
  if (note) settleRefunded(note, invoice, noted);
  await returnPaid(then, { payment, invoice }, amount);
}

/** Counts an amount of a payment as refunded, and updates the status of its invoice. */
export async function returnPaid(
  session: Session,
  { payment, invoice }: { readonly payment: Payment; readonly invoice: Invoice },
  amount: number,
) {
  const { em, now } = session;
  payment.refundedAmount += amount;
  payment.refundedAt = now;
  payment.refunded = payment.refundedAmount === payment.amount;
  if (payment.refunded) payment.status = 'refunded';
  await em.flush();
  // Applied credit is not refunded yet.
  const nothingLeft = (await amountPaid(session, invoice)) === 0;
  if (['paid', 'partially_refunded'].includes(invoice.status)) {
    invoice.status = nothingLeft ? 'refunded' : 'partially_refunded';
  }
}
