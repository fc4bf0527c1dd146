import type { Invoice } from '#domain/invoices/invoice.ts';
import { batched } from '#domain/kernel/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { Refund } from '#domain/payments/refund.ts';

/** The amount that has been paid for an invoice and not refunded, in minor units, including the credit balance. */
export async function amountPaid(
  { em }: Session,
  { id, creditApplied }: Pick<Invoice, 'id' | 'creditApplied'>,
): Promise<number> {
  const payments = await em.find(Payment, { invoice: id });
  return payments.reduce((sum, { netAmount }) => sum + netAmount, creditApplied);
}

/** The same for display: one statement for all invoices of a level of a document. */
export async function amountPaidShown(
  session: Session,
  { id, creditApplied }: Pick<Invoice, 'id' | 'creditApplied'>,
): Promise<number> {
  const payments = await batched(session, amountPaidShown, id, async ({ em }, ids) =>
    Map.groupBy(
      await em.find(Payment, { invoice: { $in: [...ids] } }),
      ({ invoiceId }) => invoiceId,
    ),
  );
  return (payments ?? []).reduce((sum, { netAmount }) => sum + netAmount, creditApplied);
}

/** The amount that is still to be paid for an invoice, in minor units. */
export const amountDue = async (session: Session, invoice: Invoice): Promise<number> =>
  Math.max(0, invoice.total - (await amountPaid(session, invoice)));

/** The statuses of an invoice of which nothing is to be paid any more. */
const settled = ['paid', 'refunded', 'partially_refunded', 'void', 'uncollectible'];

/** The same for display; 0 for an invoice that is paid or not to be paid any more. */
export const amountDueShown = async (session: Session, invoice: Invoice): Promise<number> =>
  settled.includes(invoice.status)
    ? 0
    : Math.max(0, invoice.total - (await amountPaidShown(session, invoice)));

/** Whether an invoice is paid in full. */
export const isPaid = async (session: Session, invoice: Invoice): Promise<boolean> =>
  (await amountPaid(session, invoice)) >= invoice.total;

/** The amount that stays paid once the pending refunds have succeeded, in minor units. */
export async function amountKept(session: Session, invoice: Invoice): Promise<number> {
  const pending = await session.em.find(Refund, {
    payment: { invoice: invoice.id },
    status: 'pending',
  });
  const paid = await amountPaid(session, invoice);
  return paid - pending.reduce((sum, { amount }) => sum + amount, 0);
}
