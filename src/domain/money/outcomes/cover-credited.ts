import { unreturned } from '#domain/invoicing/crediting/amount-paid.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { retractCredit } from './retract-credit.ts';

/**
 * Covers what credit notes of a locked invoice have returned to the customer, once a payment of the invoice is gone:
 * the credit pays the invoice instead, so that the amount due never exceeds the rest of the invoice. Returns other
 * invoices that are owed again, since the credit had paid them. Errors: BAD_REQUEST for credit that is not found.
 */
export async function coverCredited(
  session: Session,
  customer: Customer,
  invoice: Invoice,
): Promise<Invoice[]> {
  await session.em.flush();
  const missing = -(await unreturned(session, invoice));
  if (missing <= 0) return [];
  const owedAgain = await retractCredit(session, customer, missing);
  invoice.creditApplied += missing;
  return owedAgain;
}
