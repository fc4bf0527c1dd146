import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Refund } from '#domain/payments/refund.ts';
import { amountPaid, isPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { creditPayments } from '#domain/rules/invoicing/credit-payments.ts';
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
  if (outcome === 'failed') {
    refund.failureMessage = 'The payment processor refused the refund';
    if (invoice.status === 'void') await creditPayments(then, customer, invoice);
    return;
  }
  payment.refundedAmount += amount;
  payment.refundedAt = then.now;
  payment.refunded = payment.refundedAmount === payment.amount;
  if (payment.refunded) payment.status = 'refunded';
  await then.em.flush();
  // An over-payment that is refunded leaves its invoice paid.
  if (await isPaid(then, invoice)) return;
  // Applied credit is not refunded yet.
  const nothingLeft = (await amountPaid(then, invoice)) === 0;
  if (['paid', 'partially_refunded'].includes(invoice.status)) {
    invoice.status = nothingLeft ? 'refunded' : 'partially_refunded';
  }
}
