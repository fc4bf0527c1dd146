import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Remittance } from '#domain/model/money/remittance.ts';

/** The payments of a customer that succeeded, in an order that does not depend on how often the clock has moved. */
export async function paymentsOf({ em }: Session, customerId: string) {
  const payments = await em.find(
    Payment,
    { customerId, status: { $in: ['succeeded', 'refunded'] } },
    { orderBy: { position: 'asc' }, populate: ['invoice'] },
  );
  const keyOf = ({ chargeDate, amount, invoice }: Payment) =>
    [chargeDate.toISOString(), invoice.unwrap().invoiceNumber, String(amount).padStart(20)].join();
  return payments.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

/** Those among them that a processor has charged. */
export const chargesOf = async (session: Session, customerId: string) =>
  (await paymentsOf(session, customerId)).filter(({ isExternal }) => !isExternal);

/** The receipts of a customer that are not reversed, the oldest first. */
export const receiptsOf = ({ em }: Session, customer: string) =>
  em.find(Remittance, { customer, status: 'received' }, { orderBy: { position: 'asc' } });

export const openInvoicesOf = (session: Session, customer: string) =>
  invoicesOf(session, customer, ['open']);
export const unpaidInvoicesOf = (session: Session, customer: string) =>
  invoicesOf(session, customer, ['open', 'uncollectible']);

/** The invoices of a customer in some statuses, in the order of their numbers. */
export async function invoicesOf(
  { em }: Session,
  customer: string,
  status: Invoice['status'][] = ['open', 'paid', 'partially_refunded', 'uncollectible'],
) {
  const invoices = await em.find(Invoice, { customer, status: { $in: status } });
  return invoices.toSorted((a, b) => a.invoiceNumber.localeCompare(b.invoiceNumber));
}
