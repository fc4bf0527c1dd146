import type { Customer } from '#domain/customers/customer.ts';
import { Dispute } from '#domain/disputes/dispute.ts';
import type { Session } from '#domain/kernel/session.ts';
import { divide } from './joint-charge.ts';
import { type LockedCharge, type LockedPayment, lockCharge } from './lock-payment.ts';
import { reverseLost, unrefunded } from './note-dispute.ts';

/**
 * Divides the amounts of a dispute about a charge among its payments, by what is not refunded of each. In minor units,
 * in the order of the payments.
 */
export async function divideDispute(
  session: Session,
  parts: LockedCharge['parts'],
  { amount, withdrawnAmount }: Pick<Dispute, 'amount' | 'withdrawnAmount'>,
) {
  const most: number[] = [];
  for (const { payment } of parts) most.push(await unrefunded(session, payment));
  const withdrawn = divide(withdrawnAmount, most);
  return divide(amount, most).map((amount, place) => ({
    amount,
    withdrawnAmount: withdrawn[place] ?? 0,
  }));
}

/** Applies the lost disputes of a locked payment again, after a refund of it has failed. */
export async function reverseAgain(session: Session, locked: Omit<LockedPayment, 'session'>) {
  const { chargedWithId, chargeAmount, id } = locked.payment;
  if (!chargedWithId && chargeAmount == null) return reverseLost(session, locked);
  const { parts } = await lockCharge(session, id);
  const ids = parts.map(({ payment }) => payment.id);
  const disputes = await session.em.find(Dispute, { payment: { $in: ids } });
  for (const ofOne of Map.groupBy(disputes, (each) => each.processorReference).values()) {
    const whole = {
      amount: sumOf(ofOne, 'amount'),
      withdrawnAmount: sumOf(ofOne, 'withdrawnAmount'),
    };
    const shares = await divideDispute(session, parts, whole);
    for (const dispute of ofOne) {
      const share = shares[ids.indexOf(dispute.paymentId)];
      if (share) session.em.assign(dispute, share);
    }
  }
  await session.em.flush();
  await reverseParts(session, locked.customer, parts);
}

/** Updates what lost disputes have taken away from each payment of a locked charge. */
export async function reverseParts(
  session: Session,
  customer: Customer,
  parts: LockedCharge['parts'],
) {
  for (const part of parts) await reverseLost(session, { customer, ...part });
}

const sumOf = (disputes: readonly Dispute[], name: 'amount' | 'withdrawnAmount') =>
  disputes.reduce((sum, dispute) => sum + dispute[name], 0);
