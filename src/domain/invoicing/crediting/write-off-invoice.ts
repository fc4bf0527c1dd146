import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { amountDue } from './amount-paid.ts';
import { returnCredit } from './credit-balance.ts';
import { followBoughtCredit } from './follow-bought-credit.ts';
import { writeCreditNote } from './write-credit-note.ts';

/**
 * Gives an unpaid invoice its final status, and returns its applied credit to the customer. An uncollectible one gets a
 * credit note for the amount that was due.
 */
export async function writeOffInvoice(
  session: Session,
  invoice: Invoice,
  status: 'void' | 'uncollectible',
) {
  invoice.status = status;
  const customer = await invoice.customer.loadOrFail();
  await returnCredit(session, customer, invoice);
  if (status === 'uncollectible') await noteWriteOff(session, customer, invoice);
  await followBoughtCredit(session, invoice);
}

/** Writes the credit note of an invoice that is written off. */
export async function noteWriteOff(session: Session, customer: Customer, invoice: Invoice) {
  const of = await amountDue(session, invoice);
  if (of <= 0) return;
  const description = 'Written off as uncollectible';
  const settle = (writtenOff: number) => ({ writtenOff });
  writeCreditNote(session, customer, invoice, { of, reason: 'uncollectible', description, settle });
}
