import type { EntityManager } from '@mikro-orm/postgresql';
import { Payment } from '#domain/model/money/payment.ts';

/** The payment that the processor names by any of its references; null for one of another account. */
export function paymentByReferences(
  em: EntityManager,
  {
    paymentReference,
    chargeReference,
  }: { readonly paymentReference: string | null; readonly chargeReference: string | null },
): Promise<Payment | null> {
  return em.findOne(Payment, {
    $or: [
      ...(paymentReference ? [{ processorReference: paymentReference }] : []),
      ...(chargeReference ? [{ chargeReference }] : []),
      { id: '' },
    ],
  });
}
