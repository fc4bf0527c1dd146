import { Dispute } from '#domain/disputes/dispute.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { fresh } from './timeline.ts';

/** An open dispute about a payment, as if the bank had just opened it. */
export async function aDispute(session: Session, payment: Payment | undefined): Promise<Dispute> {
  const { em, now } = fresh(session);
  const dispute = em.create(Dispute, {
    payment: payment?.id as never,
    customerId: payment?.customerId ?? '',
    status: 'opened',
    amount: payment?.amount ?? 0,
    currency: payment?.currency ?? 'USD',
    reason: 'fraudulent',
    withdrawnAmount: payment?.amount ?? 0,
    fee: 1_500,
    openedAt: now,
    processorReference: `sandbox_du_${crypto.randomUUID()}`,
  });
  await em.flush();
  return dispute;
}
