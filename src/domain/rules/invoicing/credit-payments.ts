import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';

/**
 * Moves what has been paid for an invoice to the credit balance of its locked customer, since the invoice is void.
 * The payments show the amounts.
 */
export async function creditPayments({ em }: Session, customer: Customer, { id }: Invoice) {
  for (const payment of await em.find(Payment, { invoice: id })) {
    const { netAmount } = payment;
    payment.creditedAmount += netAmount;
    customer.creditBalance += netAmount;
  }
}
