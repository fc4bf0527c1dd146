import { LockMode } from '@mikro-orm/core';
import type { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';

/**
 * Takes an over-payment off the credit balance of a locked customer. The part that was used is taken off the invoices
 * that credit has paid, the newest first, so that their customer owes it again. Returns those invoices. Errors:
 * BAD_REQUEST for an amount that neither has, as its invoices are being charged or were refunded.
 */
export async function retractCredit(
  { em }: Session,
  customer: Customer,
  amount: number,
): Promise<Invoice[]> {
  const there = Math.min(customer.creditBalance, amount);
  customer.creditBalance -= there;
  let used = amount - there;
  if (used === 0) return [];
  await em.flush();
  const paidByCredit = {
    customer: customer.id,
    creditApplied: { $gt: 0 },
    status: { $in: ['open', 'paid'] as const },
  };
  const found = await em.find(Invoice, paidByCredit, {
    orderBy: { invoiceDate: 'desc', createdAt: 'desc', position: 'desc' },
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  const owed: Invoice[] = [];
  for (const invoice of found) {
    const part = Math.min(used, invoice.creditApplied);
    if (part === 0) break;
    invoice.creditApplied -= part;
    used -= part;
    owed.push(invoice);
  }
  if (used > 0) {
    throw invalid(
      'INVALID_STATE',
      'id',
      `${used} of the over-payment has paid invoices that are being charged or were refunded: settle those first`,
    );
  }
  return owed;
}
