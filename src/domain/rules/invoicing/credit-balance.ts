import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { amountsOf } from '#domain/invoices/tax.ts';
import type { Session } from '#domain/kernel/session.ts';
import { creditedFor } from './amount-paid.ts';
import { creditPayments } from './credit-payments.ts';
import { creditSetOff } from './note-usage.ts';
import { overbilledUsageOn } from './overbilled-usage.ts';
import { taxRuleOn } from './tax-rule.ts';

/** Pays an open invoice from the credit balance of a locked customer, up to `limit`. */
export function useCredit(customer: Customer, invoice: Invoice, limit = Number.MAX_SAFE_INTEGER) {
  const owed = invoice.total - invoice.amountWaived - invoice.creditApplied;
  const amount = Math.min(customer.creditBalance, owed, limit);
  customer.creditBalance -= amount;
  invoice.creditApplied += amount;
}

/**
 * Returns the applied credit of an invoice to the balance of a locked customer, except a part that the customer has
 * already; returns the amount.
 */
export function returnApplied(customer: Customer, invoice: Invoice, except = 0): number {
  const amount = Math.max(0, invoice.creditApplied - except);
  customer.creditBalance += amount;
  invoice.creditApplied -= amount;
  return amount;
}

/**
 * Restores the credit balance of a locked customer for an invoice that will not be paid. Returns the applied credit,
 * and the reduction for usage that earlier invoices overbilled: it is credited instead of set off. Payments of a void
 * invoice are credited, too. Amounts that credit notes have credited for the invoice are on the balance already.
 */
export async function returnCredit(session: Session, customer: Customer, invoice: Invoice) {
  returnApplied(customer, invoice, await creditedFor(session, invoice));
  if (invoice.status === 'void') await creditPayments(session, customer, invoice);
  const back = await overbilledUsageOn(session, invoice);
  if (back === 0) return;
  const whole = invoice.subtotal + back;
  const setOff = amountsOf(whole, taxRuleOn(invoice)).total - invoice.total;
  await creditSetOff(session, customer, invoice, setOff);
}
