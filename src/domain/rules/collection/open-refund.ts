import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { Refund } from '#domain/payments/refund.ts';

/** Writes a refund of a locked payment, before the processor is asked for it. */
export async function openRefund(
  { em, now }: Session,
  payment: Payment,
  amount: number,
): Promise<Refund> {
  const refund = em.create(Refund, {
    payment,
    amount,
    customerId: payment.customerId,
    testClockId: payment.testClockId ?? null,
    // Until then the process that opens the refund is expected to execute it.
    checkDueAt: now,
  });
  await em.flush();
  return refund;
}
