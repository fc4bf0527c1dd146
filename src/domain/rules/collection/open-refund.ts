import type { CreditNote, creditNoteReasons } from '#domain/credit-notes/credit-note.ts';
import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { Refund } from '#domain/payments/refund.ts';
import { uncredited } from '#domain/rules/invoicing/credit-invoices.ts';
import { writeCreditNote } from '#domain/rules/invoicing/write-credit-note.ts';

interface Locked {
  readonly payment: Payment;
  readonly invoice: Invoice;
  readonly customer: Customer;
}

interface Reason {
  readonly reason: (typeof creditNoteReasons)[number];
  readonly description?: string;
}

/** The largest refund: the rest of the invoice, and what earlier credit notes left on the balance. */
export async function refundable(session: Session, { invoice, customer }: Omit<Locked, 'payment'>) {
  return (await uncredited(session, invoice)) + customer.creditBalance;
}

/**
 * Writes a refund of a locked payment, with its credit note. The customer already has a credit for what exceeds the
 * rest of the invoice, so the balance pays for that part.
 */
export async function openRefund(
  session: Session,
  { payment, invoice, customer }: Locked,
  amount: number,
  reason: Reason,
): Promise<Refund> {
  const noted = Math.min(amount, await uncredited(session, invoice));
  const settle = () => ({});
  const creditNote =
    noted > 0
      ? writeCreditNote(session, customer, invoice, { ...reason, of: noted, settle })
      : null;
  return refundFor(session, payment, { amount, creditNote, fromBalance: amount - noted, customer });
}

interface Parts {
  readonly amount: number;
  readonly creditNote: CreditNote | null;
  readonly fromBalance: number;
  readonly customer: Customer;
}

/** Writes a refund of a payment for a credit note. */
export function refundFor({ em }: Session, payment: Payment, parts: Parts): Refund {
  const { amount, creditNote, fromBalance, customer } = parts;
  customer.creditBalance -= fromBalance;
  const { customerId } = payment;
  return em.create(Refund, { payment, amount, customerId, creditNote, fromBalance });
}
