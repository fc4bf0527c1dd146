import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { countInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { afresh, refuseTransaction } from '#domain/rules/collection/charge-payment.ts';
import { processorOf } from '#domain/rules/collection/payment-processor.ts';
import { lockPayment } from '#domain/rules/collection/settle-payment.ts';
import { paidOf } from '#domain/rules/invoicing/paid-of.ts';
import { firstStep } from '#domain/rules/locks/first-step.ts';
import { Payment } from './payment.ts';
import { Refund } from './refund.ts';

export const refundPaymentInput = z.object({
  id: z.string(),
  partialAmount: countInput.nullish(),
});

/**
 * Gives money of a payment back: a part of it, or all that is left (reference §9.9). What is on its way back
 * counts, so several at once never give back more than was paid. Errors: NOT_FOUND; BAD_REQUEST for more than
 * is left, and for a payment that has not succeeded.
 */
export async function refundPayment(
  session: Session,
  { id, partialAmount }: z.output<typeof refundPaymentInput>,
): Promise<Payment> {
  const { done: refundId } = await firstStep(afresh(session), async (session) => {
    const { payment, session: then } = await lockPayment(session, id);
    const left = await refundableOf(then, payment);
    const amount = partialAmount ?? left;
    if (amount > left)
      throw invalid('partialAmount', `must be at most ${left}, which is what is left`);
    const refund = then.em.create(Refund, { payment, amount, customerId: payment.customerId });
    await then.em.flush();
    return refund.id;
  });
  await carryOutRefund(session, refundId);
  return afresh(session).em.findOneOrFail(Payment, id);
}

async function refundableOf({ em }: Session, payment: Payment): Promise<number> {
  if (payment.status === 'refunded') throw invalid('id', `${payment.id} has been refunded already`);
  if (payment.status !== 'succeeded') {
    throw invalid(
      'id',
      `${payment.id} is ${payment.status}: only what has been paid can be refunded`,
    );
  }
  const refunds = await em.find(Refund, { payment: payment.id, status: { $ne: 'failed' } });
  const left = payment.amount - refunds.reduce((sum, { amount }) => sum + amount, 0);
  if (left === 0) throw invalid('id', `${payment.id} is being refunded in full already`);
  return left;
}

/** Has the processor give the money back, once however often it is asked, and writes down what follows. */
export async function carryOutRefund(session: Session, refundId: string): Promise<void> {
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

async function settleRefund(
  session: Session,
  { id, paymentId, amount }: Refund,
  outcome: 'succeeded' | 'failed',
) {
  const { payment, invoice, session: then } = await lockPayment(session, paymentId);
  const refund = await then.em.findOneOrFail(Refund, id, { refresh: true });
  if (refund.status !== 'pending') return;
  refund.status = outcome;
  if (outcome === 'failed') {
    refund.failureMessage = 'The processor has refused to give the money back';
    return;
  }
  payment.refundedAmount += amount;
  payment.refundedAt = then.now;
  payment.refunded = payment.refundedAmount === payment.amount;
  if (payment.refunded) payment.status = 'refunded';
  await then.em.flush();
  // What the credit balance has paid has not gone back.
  const nothingLeft = (await paidOf(then, invoice)) === 0;
  if (['paid', 'partially_refunded'].includes(invoice.status)) {
    invoice.status = nothingLeft ? 'refunded' : 'partially_refunded';
  }
}
