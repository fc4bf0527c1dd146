import { creditedFor } from '#domain/invoicing/crediting/amount-paid.ts';
import { returnableAsMoney } from '#domain/invoicing/crediting/credit-invoices.ts';
import { followBoughtCredit } from '#domain/invoicing/crediting/follow-bought-credit.ts';
import { refundFor } from '#domain/invoicing/crediting/refund-invoices.ts';
import { writeCreditNote } from '#domain/invoicing/crediting/write-credit-note.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { creditNoteReasons } from '#domain/model/invoicing/credit-note.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { openRefundStatuses, Refund } from '#domain/model/money/refund.ts';
import type { Customer } from '#domain/model/platform/customer.ts';

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
