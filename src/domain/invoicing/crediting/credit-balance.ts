import type { Session } from '#domain/kernel/session.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { creditedFor, unreturned } from './amount-paid.ts';
import { creditPayments } from './credit-payments.ts';
import { creditSetOff } from './note-usage.ts';
import { overbilledUsageOn } from './overbilled-usage.ts';
import { unusePrepaid, usePrepaid } from './prepaid-credits.ts';
import { taxRuleOn } from './tax-rule.ts';

/** Pays an open invoice from prepaid credits and then the credit balance of a locked customer, up to `limit`. */
export async function useCredit(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  limit = Number.MAX_SAFE_INTEGER,
) {
  const owed = Math.min(limit, invoice.total - invoice.amountWaived - invoice.creditApplied);
  const prepaid = await usePrepaid(session, customer, invoice, owed);
  useBalance(customer, invoice, owed - prepaid);
}

/** Pays an open invoice from the credit balance of a locked customer, up to `limit`. */
export function useBalance(customer: Customer, invoice: Invoice, limit: number) {
  const owed = invoice.total - invoice.amountWaived - invoice.creditApplied;
  const amount = Math.min(customer.creditBalance, limit, owed);
  customer.creditBalance -= amount;
  invoice.creditApplied += amount;
}

/**
 * Returns the applied credit of an invoice to the prepaid credits and the balance of a locked customer. `except` is a
 * part that the customer has already. Returns the amount.
 */
async function returnApplied(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  except = 0,
): Promise<number> {
  const isPrepaid = invoice.prepaidApplied > 0;
  const most = isPrepaid ? Math.max(0, await unreturned(session, invoice)) : 0;
  const prepaid = await unusePrepaid(session, customer, invoice, most);
  // Credit notes have returned the part that prepaid credits still pay.
  const amount = Math.max(0, invoice.creditApplied - Math.max(except, invoice.prepaidApplied));
  customer.creditBalance += amount;
  invoice.creditApplied -= amount;
  return prepaid + amount;
}

/**
 * Restores the credit balance of a locked customer for an invoice that will not be paid. Returns the applied credit,
 * and the reduction for usage that earlier invoices overbilled: it is credited instead of set off. Payments of a void
 * invoice are credited, too. Amounts that credit notes have credited for the invoice are on the balance already.
 */
export async function returnCredit(session: Session, customer: Customer, invoice: Invoice) {
  await returnApplied(session, customer, invoice, await creditedFor(session, invoice));
  if (invoice.status === 'void') await creditPayments(session, customer, invoice);
  const back = await overbilledUsageOn(session, invoice);
  if (back === 0) return;
  const whole = invoice.subtotal + back;
  const setOff = amountsOf(whole, taxRuleOn(invoice)).total - invoice.total;
  await creditSetOff(session, customer, invoice, setOff);
}
