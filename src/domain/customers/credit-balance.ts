import type { Invoice } from '../invoices/invoice.ts';
import type { Customer } from './customer.ts';

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

/** Gives a held customer back what its credit has paid of an invoice that is not to be paid after all; answers that. */
export function returnCredit(customer: Customer, invoice: Invoice): number {
  const amount = invoice.creditApplied;
  customer.creditBalance += amount;
  invoice.creditApplied = 0;
  return amount;
}
