import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { amountsOf } from '#domain/invoices/tax.ts';
import type { Session } from '#domain/kernel/session.ts';
import { overbilledUsageOn } from './overbilled-usage.ts';
import { taxRuleOn } from './tax-rule.ts';

/** Gives a held customer something to its credit, in minor units. */
export function addCredit(customer: Customer, amount: number) {
  customer.creditBalance += amount;
}

/** Pays as much of an open invoice as a held customer has to its credit, and no more than `limit`. */
export function useCredit(customer: Customer, invoice: Invoice, limit = Number.MAX_SAFE_INTEGER) {
  const owed = invoice.total - invoice.creditApplied;
  const amount = Math.min(customer.creditBalance, owed, limit);
  customer.creditBalance -= amount;
  invoice.creditApplied += amount;
}

/** Gives a held customer back what its credit has paid of an invoice; answers how much. */
export function returnApplied(customer: Customer, invoice: Invoice): number {
  const amount = invoice.creditApplied;
  customer.creditBalance += amount;
  invoice.creditApplied = 0;
  return amount;
}

/**
 * Gives a held customer back what its credit has paid of an invoice that is not to be paid after all, and what the
 * invoice was less for usage that earlier ones billed too much.
 */
export async function returnCredit(session: Session, customer: Customer, invoice: Invoice) {
  returnApplied(customer, invoice);
  const back = await overbilledUsageOn(session, invoice);
  if (back === 0) return;
  const whole = invoice.subtotal + back;
  customer.creditBalance += amountsOf(whole, taxRuleOn(invoice)).total - invoice.total;
}
