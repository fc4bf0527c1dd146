import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { countInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountText } from '#domain/kernel/values/currencies.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { countedRefundStatuses, Refund } from '#domain/model/money/refund.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { unfitAmount } from '#domain/money/processing/unfit-amount.ts';
import { executeRefund, settleByHand } from '#domain/money/refunds/execute-refund.ts';
import { lockPayment } from '#domain/money/refunds/lock-payment.ts';
import { openRefund, refundable } from '#domain/money/refunds/open-refund.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';

export const refundPaymentInput = z.object({
  id: z.string(),
  partialAmount: countInput.nullish(),
});

/**
 * Refunds a payment in part or in full. Pending refunds count, so the sum of concurrent refunds never exceeds the
 * payment. The refund of a payment that was recorded by hand is a record, too. Errors:
 * NOT_FOUND; BAD_REQUEST for more than is left, for an amount that the processor cannot move, and for a payment that has
 * not succeeded.
 */
export async function refundPayment(
  session: Session,
  { id, partialAmount }: z.output<typeof refundPaymentInput>,
): Promise<Payment> {
  const { done: refundId } = await firstStep(afresh(session), async (session) => {
    const { payment, session: atLock, ...locked } = await lockPayment(session, id);
    const own = await refundableOf(atLock, payment, locked.customer);
    const left = Math.min(own, await refundable(atLock, { payment, ...locked }));
    const amount = partialAmount ?? left;
    if (left === 0) {
      const why = locked.invoice.prepaidCreditId
        ? `nothing is left unused of the prepaid credit that ${id} has bought`
        : `the amount of ${id} has already been credited`;
      throw invalid('INVALID_STATE', 'id', why);
    }
    if (amount > left)
      throw invalid(
        'OUT_OF_RANGE',
        'partialAmount',
        `must be at most ${amountText(left, payment.currency)}, the amount not yet refunded`,
      );
    const unfit = unfitAmount(payment, amount, payment.currency);
    if (unfit) throw invalid('INVALID', 'partialAmount', `cannot be refunded: ${unfit}`);
    const refund = await openRefund(atLock, { payment, ...locked }, amount, { reason: 'refund' });
    await settleByHand(atLock, refund, payment);
    return refund.id;
  });
  await executeRefund(session, refundId);
  return afresh(session).em.findOneOrFail(Payment, id);
}

async function refundableOf(
  { em }: Session,
  payment: Payment,
  { creditBalance }: Customer,
): Promise<number> {
  if (payment.status === 'refunded')
    throw invalid('INVALID_STATE', 'id', `${payment.id} has already been refunded`);
  if (payment.status !== 'succeeded') {
    throw invalid(
      'INVALID_STATE',
      'id',
      `${payment.id} is ${payment.status}: only a succeeded payment can be refunded`,
    );
  }
  if (payment.disputed) {
    throw invalid(
      'INVALID_STATE',
      'id',
      `${payment.id} is disputed: it is refunded by the dispute, or after it`,
    );
  }
  const refunds = await em.find(Refund, {
    payment: payment.id,
    status: { $in: [...countedRefundStatuses] },
  });
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  // Credit that was used has paid other invoices.
  const used = Math.max(0, payment.creditedAmount - creditBalance);
  const left = payment.amount - payment.reversedAmount - used - refunded;
  if (left <= 0 && used > 0) {
    const message = `${payment.id} was credited to the customer, and that credit has paid other invoices`;
    throw invalid('INVALID_STATE', 'id', message);
  }
  if (left === 0)
    throw invalid('IN_PROGRESS', 'id', `${payment.id} is already being refunded in full`);
  return left;
}
