import type { Session } from '#domain/kernel/session.ts';
import { uncredited } from '#domain/rules/invoicing/credit-invoices.ts';
import { settleRefunded, writeCreditNote } from '#domain/rules/invoicing/write-credit-note.ts';
import type { LockedPayment } from './lock-payment.ts';

type Locked = Pick<LockedPayment, 'payment' | 'invoice' | 'customer'>;

/**
 * Writes the credit note for an amount that the customer's bank has taken away from a locked payment with a lost
 * dispute. A part that the customer has as a credit is deducted from the balance, as far as that reaches.
 */
export async function noteLostDispute(session: Session, locked: Locked, amount: number) {
  const { payment, invoice, customer } = locked;
  const retracted = Math.min(amount, payment.creditedAmount, customer.creditBalance);
  payment.creditedAmount -= retracted;
  const of = Math.min(amount - retracted, await uncredited(session, invoice));
  if (of > 0) {
    const description = 'The payment was disputed';
    const heading = { of, reason: 'dispute_lost', description, settle: () => ({}) } as const;
    settleRefunded(writeCreditNote(session, customer, invoice, heading), invoice, of);
  }
  customer.creditBalance -= Math.min(amount - of, customer.creditBalance);
}

/**
 * Credits an amount that a lost dispute has returned to the seller after all. The credit note for it does not change,
 * so the customer's balance gets the amount.
 */
export function creditReinstated({ payment, customer }: Locked, amount: number) {
  payment.creditedAmount += amount;
  customer.creditBalance += amount;
}
