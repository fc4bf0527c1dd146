import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';

/** The payment that the processor knows: itself, or the one whose charge includes it. */
export const chargedPayment = async ({ em }: Session, payment: Payment): Promise<Payment> =>
  payment.chargedWithId ? em.findOneOrFail(Payment, payment.chargedWithId) : payment;

/** The payments of a charge, the one that the processor knows first. */
export async function paymentsOfCharge(
  { em }: Pick<Session, 'em'>,
  payment: Payment,
): Promise<Payment[]> {
  const { id, chargeAmount } = payment;
  if (chargeAmount == null) return [payment];
  const orderBy = { position: 'asc', id: 'asc' } as const;
  return [payment, ...(await em.find(Payment, { chargedWithId: id }, { orderBy }))];
}

/**
 * Divides an amount among payments: each gets at most what it can take, in their order. The last one gets what exceeds
 * that.
 */
export function divide(amount: number, most: readonly number[]): number[] {
  let left = amount;
  return most.map((most, place, { length }) => {
    const part = place === length - 1 ? left : Math.min(left, most);
    left -= part;
    return part;
  });
}
