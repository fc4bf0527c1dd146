import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { creditedFor } from './amount-paid.ts';

/**
 * Moves what has been paid for an invoice to the credit balance of its locked customer, since the invoice is void. The
 * payments show the amounts. Amounts that credit notes have credited for the invoice are on the balance already.
 */
export async function creditPayments(session: Session, customer: Customer, invoice: Invoice) {
  let there = Math.max(0, (await creditedFor(session, invoice)) - invoice.creditApplied);
  for (const payment of await session.em.find(Payment, { invoice: invoice.id })) {
    const kept = Math.min(there, payment.netAmount);
    const amount = payment.netAmount - kept;
    there -= kept;
    payment.creditedAmount += amount;
    customer.creditBalance += amount;
  }
}
