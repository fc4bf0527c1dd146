import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { countInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { executeRefund } from '#domain/rules/collection/execute-refund.ts';
import { openRefund, refundable } from '#domain/rules/collection/open-refund.ts';
import { lockPayment } from '#domain/rules/collection/settle-payment.ts';
import { firstStep } from '#domain/rules/idempotency/first-step.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { Payment } from './payment.ts';
import { Refund } from './refund.ts';

export const refundPaymentInput = z.object({
  id: z.string(),
  partialAmount: countInput.nullish(),
});

/**
 * Refunds a payment in part or in full. Pending refunds count, so the sum of concurrent refunds never exceeds the
 * payment. Errors: NOT_FOUND; BAD_REQUEST for more than is left, and for a payment that has not succeeded.
 */
export async function refundPayment(
  session: Session,
  { id, partialAmount }: z.output<typeof refundPaymentInput>,
): Promise<Payment> {
  const { done: refundId } = await firstStep(afresh(session), async (session) => {
    const { payment, session: then, ...locked } = await lockPayment(session, id);
    const left = Math.min(await refundableOf(then, payment), await refundable(then, locked));
    const amount = partialAmount ?? left;
    if (left === 0)
      throw invalid('INVALID_STATE', 'id', `the amount of ${id} has already been credited`);
    if (amount > left)
      throw invalid(
        'OUT_OF_RANGE',
        'partialAmount',
        `must be at most ${left}, the amount not yet refunded`,
      );
    const refund = await openRefund(then, { payment, ...locked }, amount, { reason: 'refund' });
    await then.em.flush();
    return refund.id;
  });
  await executeRefund(session, refundId);
  return afresh(session).em.findOneOrFail(Payment, id);
}

async function refundableOf({ em }: Session, payment: Payment): Promise<number> {
  if (payment.status === 'refunded')
    throw invalid('INVALID_STATE', 'id', `${payment.id} has already been refunded`);
  if (payment.status !== 'succeeded') {
    throw invalid(
      'INVALID_STATE',
      'id',
      `${payment.id} is ${payment.status}: only a succeeded payment can be refunded`,
    );
  }
  const refunds = await em.find(Refund, { payment: payment.id, status: { $ne: 'failed' } });
  const left = payment.amount - refunds.reduce((sum, { amount }) => sum + amount, 0);
  if (left === 0)
    throw invalid('IN_PROGRESS', 'id', `${payment.id} is already being refunded in full`);
  return left;
}
