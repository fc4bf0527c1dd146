import type { Invoice } from '../invoices/invoice.ts';
import type { Customer } from './customer.ts';

/** Gives a held customer something to its credit, in minor units. */
export function addCredit(customer: Customer, amount: number) {
  customer.creditBalance += amount;
}

/** Pays as much of an open invoice as a held customer has to its credit. */
export function useCredit(customer: Customer, invoice: Invoice) {
  const amount = Math.min(customer.creditBalance, invoice.total - invoice.creditApplied);
  customer.creditBalance -= amount;
  invoice.creditApplied += amount;
}

/** Gives a held customer back what its credit has paid of an invoice that is not to be paid after all. */
export function returnCredit(customer: Customer, invoice: Invoice) {
  customer.creditBalance += invoice.creditApplied;
  invoice.creditApplied = 0;
}
