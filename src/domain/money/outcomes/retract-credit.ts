import { LockMode } from '@mikro-orm/core';
import { unreturned } from '#domain/invoicing/crediting/amount-paid.ts';
import { keptPrepaid } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountText } from '#domain/kernel/values/currencies.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';

interface Recovered {
  /** The invoices that credit had paid, each with the amount that was taken off it. */
  readonly taken: ReadonlyMap<Invoice, number>;
  /** The part of the amount that was not found. */
  readonly rest: number;
}

/**
 * Takes an amount off the credit balance of a locked customer. The part that was used is taken off the invoices that
 * credit has paid, the newest first. An invoice keeps what its credit notes have returned to the customer, and what
 * prepaid credits have paid.
 */
export async function recoverCredit(
  session: Session,
  customer: Customer,
  amount: number,
): Promise<Recovered> {
  const { em } = session;
  const there = Math.min(customer.creditBalance, amount);
  customer.creditBalance -= there;
  const taken = new Map<Invoice, number>();
  let rest = amount - there;
  if (rest === 0) return { taken, rest };
  await em.flush();
  const paidByCredit = {
    customer: customer.id,
    creditApplied: { $gt: 0 },
    status: { $in: ['open', 'paid', 'partially_refunded'] as const },
  };
  const found = await em.find(Invoice, paidByCredit, {
    orderBy: { invoiceDate: 'desc', createdAt: 'desc', position: 'desc' },
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  for (const invoice of found) {
    if (rest === 0) break;
    const kept = await keptPrepaid(session, invoice);
    const applied = invoice.creditApplied - invoice.prepaidApplied;
    const part = Math.min(rest, applied, (await unreturned(session, invoice)) - kept);
    if (part <= 0) continue;
    invoice.creditApplied -= part;
    rest -= part;
    taken.set(invoice, part);
  }
  return { taken, rest };
}

/**
 * Takes an over-payment off the credit of a locked customer, so that the invoices are owed again that it has paid.
 * Returns those invoices. Errors: BAD_REQUEST for an amount that is not found, as its invoices are being charged or
 * were refunded.
 */
export async function retractCredit(
  session: Session,
  customer: Customer,
  amount: number,
): Promise<Invoice[]> {
  const { taken, rest } = await recoverCredit(session, customer, amount);
  if (rest > 0) {
    const text = amountText(rest, customer.currency as string);
    throw invalid(
      'INVALID_STATE',
      'id',
      `${text} of the customer's credit has paid invoices that are being charged or were refunded: settle those first`,
    );
  }
  return [...taken.keys()];
}
