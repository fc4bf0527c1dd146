import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { returnCredit } from './credit-balance.ts';

/** Gives an unpaid invoice its final status, and returns its applied credit to the customer. */
export async function writeOffInvoice(
  session: Session,
  invoice: Invoice,
  status: 'void' | 'uncollectible',
) {
  invoice.status = status;
  await returnCredit(session, await invoice.customer.loadOrFail(), invoice);
}
