import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Refund } from '#domain/payments/refund.ts';
import { amountPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import type { RefundOutcome } from '#domain/rules/processing/charge-types.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { lockPayment } from './settle-payment.ts';

/** Executes a refund through the processor, once however often it is called, and applies the outcome. */
export async function executeRefund(session: Session, refundId: string): Promise<void> {
  refuseTransaction(session);
  const present = afresh(session);
  const refund = await present.em.findOneOrFail(Refund, refundId, { populate: ['payment'] });
  if (refund.status !== 'pending') return;
  const payment = refund.payment.unwrap();
  const processor = await processorOf(session);
  const outcome = await processor.refund(present, {
    idempotencyKey: refund.id,
    reference: null,
    chargeKey: payment.idempotencyKey,
    paymentReference: null,
    chargeReference: null,
    amount: refund.amount,
    currency: payment.currency,
    begunAt: refund.createdAt,
    metadata: { refund_id: refund.id, payment_id: payment.id },
    onReference: async () => {},
  });
  await command(afresh(session), (session) => settleRefund(session, refund, outcome));
}

export async function settleRefund(
  session: Session,
  { id, paymentId, amount }: Refund,
  { status, failureMessage }: RefundOutcome,
) {
  const { payment, invoice, session: then } = await lockPayment(session, paymentId);
  const refund = await then.em.findOneOrFail(Refund, id, { refresh: true });
  if (refund.status !== 'pending') return;
  if (status === 'pending' || status === 'requires_action') return;
  refund.status = status === 'succeeded' ? status : 'failed';
  if (status !== 'succeeded') {
    refund.failureMessage = failureMessage;
    return;
  }
  payment.refundedAmount += amount;
  payment.refundedAt = then.now;
  payment.refunded = payment.refundedAmount === payment.amount;
  if (payment.refunded) payment.status = 'refunded';
  await then.em.flush();
  // Applied credit is not refunded yet.
  const nothingLeft = (await amountPaid(then, invoice)) === 0;
  if (['paid', 'partially_refunded'].includes(invoice.status)) {
    invoice.status = nothingLeft ? 'refunded' : 'partially_refunded';
  }
}
