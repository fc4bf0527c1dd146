import type { Session } from '#domain/kernel/session.ts';
import type { CreditNote, creditNoteReasons } from '#domain/model/invoicing/credit-note.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { countedRefundStatuses, Refund } from '#domain/model/money/refund.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { paidAsMoney } from './credit-invoices.ts';
import { sumOfParts, unusedParts } from './unused-parts.ts';
import { writeCreditNote } from './write-credit-note.ts';

/** The payments of an invoice that can be refunded, the latest first, each with the rest of its amount. */
export async function refundableParts({ em }: Session, invoice: Invoice) {
  const payments = await em.find(
    Payment,
    { invoice: invoice.id, status: 'succeeded', disputed: false },
    { orderBy: { chargeDate: 'desc', position: 'desc' } },
  );
  const refunds = await em.find(Refund, {
    payment: { $in: payments.map(({ id }) => id) },
    status: { $in: [...countedRefundStatuses] },
  });
  return payments.map((payment) => {
    const of = refunds.filter(({ paymentId }) => paymentId === payment.id);
    const most = payment.amount - payment.creditedAmount - payment.reversedAmount;
    return { payment, refundable: of.reduce((left, { amount }) => left - amount, most) };
  });
}

/** The payments of an invoice that a processor can refund, the latest first. */
async function ownParts(session: Session, invoice: Invoice) {
  const all = await refundableParts(session, invoice);
  return all.filter(({ payment, refundable }) => !payment.isExternal && refundable > 0);
}

/** The amount of an invoice that its payments can return. */
async function refundableOf(session: Session, invoice: Invoice): Promise<number> {
  const parts = await ownParts(session, invoice);
  const most = parts.reduce((sum, { refundable }) => sum + refundable, 0);
  return Math.min(most, await paidAsMoney(session, invoice));
}

/**
 * Refunds an unused amount of a plan on invoices of a locked customer, the latest payments first. Each invoice gets a
 * credit note. Money that no processor can return stays: that of credit, of payments by hand and of disputes. Returns the
 * part of the amount that the refunds return, also with tax; they are executed later.
 */
export async function refundUnused(
  session: Session,
  customer: Customer,
  invoices: readonly Invoice[],
  amount: number,
  note: { readonly reason: (typeof creditNoteReasons)[number]; readonly description: string },
) {
  const parts = await unusedParts(session, invoices, amount, refundableOf);
  for (const { invoice, of, total } of parts) {
    const payments = await ownParts(session, invoice);
    const settle = () => ({});
    const creditNote = writeCreditNote(session, customer, invoice, { ...note, of, settle });
    let left = total;
    for (const { payment, refundable } of payments) {
      const amount = Math.min(left, refundable);
      if (amount === 0) break;
      left -= amount;
      refundFor(session, payment, { amount, creditNote, fromBalance: 0 });
    }
    await session.em.flush();
  }
  return sumOfParts(parts);
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
