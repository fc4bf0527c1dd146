import { batched } from '#domain/kernel/batched.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';

/** Stripe's reference of the latest charge for an invoice; one statement for all invoices of a level of a document. */
export async function stripePaymentOf(session: Session, invoiceId: string): Promise<string | null> {
  const latest = await batched(session, stripePaymentOf, invoiceId, async ({ em }, ids) => {
    const payments = await em.find(
      Payment,
      { invoice: { $in: [...ids] }, processor: 'stripe', processorReference: { $ne: null } },
      { orderBy: oldestFirst },
    );
    return new Map(payments.map((payment) => [payment.invoiceId, payment.processorReference]));
  });
  return latest ?? null;
}
