import type { CreditNote, creditNoteReasons } from '#domain/credit-notes/credit-note.ts';
import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { openRefundStatuses, Refund } from '#domain/payments/refund.ts';
import { creditedFor } from '#domain/rules/invoicing/amount-paid.ts';
import { returnableAsMoney } from '#domain/rules/invoicing/credit-invoices.ts';
import { followBoughtCredit } from '#domain/rules/invoicing/follow-bought-credit.ts';
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

/**
 * The largest refund: the payments that were not returned, and the rest of earlier credit notes on the balance. Where
 * the invoice has bought prepaid credit, the balance pays for no more than the payment or a credit note has put there.
 */
export async function refundable(session: Session, { payment, invoice, customer }: Locked) {
  const asMoney = await returnableAsMoney(session, invoice);
  if (!invoice.prepaidCreditId) return asMoney + customer.creditBalance;
  const credited = payment.creditedAmount + (await uncoveredOf(session, invoice));
  return asMoney + Math.min(customer.creditBalance, credited);
}

/** The amount that credit notes of an invoice have put on the balance, without what it has paid for refunds since. */
async function uncoveredOf(session: Session, invoice: Invoice): Promise<number> {
  const pending = await session.em.find(Refund, {
    payment: { invoice: invoice.id },
    status: { $in: [...openRefundStatuses] },
  });
  const credited = await creditedFor(session, invoice);
  return pending.reduce(
    (left, { fromBalance, retractedAmount }) => left - fromBalance + retractedAmount,
    credited,
  );
}

/**
 * Writes a refund of a locked payment, with its credit note, before the processor is asked for it. The part of the
 * payment that is on the credit balance is taken off that first, as far as the balance reaches. The customer already
 * has a credit for what exceeds the amount that was not returned, too, so the balance pays for that part.
 */
export async function openRefund(
  session: Session,
  { payment, invoice, customer }: Locked,
  amount: number,
  reason: Reason,
): Promise<Refund> {
  const retracted = Math.min(amount, payment.creditedAmount, customer.creditBalance);
  payment.creditedAmount -= retracted;
  const noted = Math.min(amount - retracted, await returnableAsMoney(session, invoice));
  const settle = () => ({});
  const creditNote =
    noted > 0
      ? writeCreditNote(session, customer, invoice, { ...reason, of: noted, settle })
      : null;
  const fromBalance = amount - noted;
  customer.creditBalance -= fromBalance;
  const retractedAmount = retracted;
  const refund = refundFor(session, payment, { amount, creditNote, fromBalance, retractedAmount });
  await session.em.flush();
  await followBoughtCredit(session, invoice);
  return refund;
}

interface Parts {
  readonly amount: number;
  readonly creditNote: CreditNote | null;
  readonly fromBalance: number;
  readonly retractedAmount?: number;
}

/** Writes a refund of a payment, for its credit note and the part of the balance that pays for it. */
export function refundFor({ em, now }: Session, payment: Payment, parts: Parts): Refund {
  const { amount, creditNote, fromBalance, retractedAmount = 0 } = parts;
  return em.create(Refund, {
    payment,
    amount,
    customerId: payment.customerId,
    creditNote,
    fromBalance,
    retractedAmount,
    isUndocumented: creditNote === null && fromBalance < amount,
    testClockId: payment.testClockId ?? null,
    // Until then the process that opens the refund is expected to execute it.
    checkDueAt: now,
  });
}
