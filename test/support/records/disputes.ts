import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import type { DisputeState } from '#domain/money/processing/port/processor-objects.ts';
import { settleDispute } from '#domain/money/refunds/apply-dispute.ts';
import { lockCharge } from '#domain/money/refunds/lock-payment.ts';
import { fresh } from '../timeline.ts';

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

type Stated = Pick<DisputeState, 'status' | 'withdrawnAmount'> &
  Partial<Pick<DisputeState, 'reference' | 'amount'>>;

/** Applies a state of a dispute about a payment and those charged with it, as a processor states it. */
export const settleDisputeOf = (session: Session, paymentId: string, state: Stated) =>
  command(session, async (session) => {
    const locked = await lockCharge(session, paymentId);
    const { chargedAmount: amount, currency, chargeDate: openedAt } = locked.parts[0].payment;
    await settleDispute(locked, {
      reference: `dp_${paymentId}`,
      paymentReference: null,
      chargeReference: null,
      amount,
      currency,
      reason: null,
      fee: 0,
      evidenceDueAt: null,
      openedAt,
      ...state,
    });
  });
