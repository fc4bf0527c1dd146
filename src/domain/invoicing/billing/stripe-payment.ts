import { oldestFirst } from '#domain/kernel/columns.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';

/** Stripe's reference of the latest charge for an invoice; one statement for all invoices of a level of a document. */
export async function stripePaymentOf(session: Session, invoiceId: string): Promise<string | null> {
  const latest = await batched(session, stripePaymentOf, invoiceId, async ({ em }, ids) => {
    const payments = await em.find(
      Payment,
      { invoice: { $in: [...ids] }, processor: 'stripe' },
      { orderBy: oldestFirst },
    );
    const chargeIds = { $in: [...new Set(payments.map(({ chargeId }) => chargeId))] };
    const charges = payments.length > 0 ? await em.find(Payment, { id: chargeIds }) : [];
    const references = new Map(
      charges.map(({ id, processorReference }) => [id, processorReference]),
    );
    const charged = payments.filter(({ chargeId }) => references.get(chargeId) != null);
    return new Map(charged.map(({ invoiceId, chargeId }) => [invoiceId, references.get(chargeId)]));
  });
  return latest ?? null;
}
