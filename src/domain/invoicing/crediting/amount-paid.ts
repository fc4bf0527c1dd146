import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CreditNote, chosenReasons } from '#domain/model/invoicing/credit-note.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { openRefundStatuses, Refund } from '#domain/model/money/refund.ts';

/** The amount that has been paid for an invoice and not refunded, in minor units, including the credit balance. */
export async function amountPaid(
  { em }: Session,
  { id, creditApplied }: Pick<Invoice, 'id' | 'creditApplied'>,
): Promise<number> {
  const payments = await em.find(Payment, { invoice: id });
  return payments.reduce((sum, { netAmount }) => sum + netAmount, creditApplied);
}

/** The same for display: one statement for all invoices of a level of a document. */
export async function amountPaidShown(
  session: Session,
  { id, creditApplied }: Pick<Invoice, 'id' | 'creditApplied'>,
): Promise<number> {
  const payments = await batched(session, amountPaidShown, id, async ({ em }, ids) =>
    Map.groupBy(
      await em.find(Payment, { invoice: { $in: [...ids] } }),
      ({ invoiceId }) => invoiceId,
    ),
  );
  return (payments ?? []).reduce((sum, { netAmount }) => sum + netAmount, creditApplied);
}

/** The amount of an invoice that is still to be paid, in minor units; its credit notes reduce it. */
export const amountDue = async (session: Session, invoice: Invoice): Promise<number> =>
  restOf(invoice, await amountPaid(session, invoice));

/** The same for an invoice that the present transaction has written, so that it has no payment. */
export const amountDueOfNew = (invoice: Invoice): number => restOf(invoice, invoice.creditApplied);

/** The statuses of an invoice of which nothing is to be paid any more. */
const settled = ['paid', 'refunded', 'partially_refunded', 'void', 'uncollectible'];

/** The same for display; 0 for an invoice that is paid or not to be paid any more. */
export const amountDueShown = async (session: Session, invoice: Invoice): Promise<number> =>
  settled.includes(invoice.status) ? 0 : restOf(invoice, await amountPaidShown(session, invoice));

const restOf = ({ total, amountWaived }: Invoice, paid: number) =>
  Math.max(0, total - amountWaived - paid);

/** Whether an invoice is paid in full. */
export const isPaid = async (session: Session, invoice: Invoice): Promise<boolean> =>
  (await amountDue(session, invoice)) === 0;

/** The amount that callers have credited to the balance for an invoice, in minor units. */
export async function creditedByHand({ em }: Session, invoice: Invoice): Promise<number> {
  if (invoice.amountCredited === 0) return 0;
  const reason = { $in: [...chosenReasons] };
  const notes = await em.find(CreditNote, { invoice: invoice.id, reason });
  return notes.reduce((sum, { creditedAmount }) => sum + creditedAmount, 0);
}

/**
 * The amounts that the credit notes of an invoice have returned to its customer, in minor units: `credited` to the
 * balance and `setOff` on other invoices. `covered` is the part of both that the balance has paid for refunds since.
 */
async function returnedBy({ em }: Session, invoice: Invoice) {
  const returned = { credited: 0, setOff: 0, covered: invoice.amountWaived };
  if (invoice.amountCredited === 0) return { ...returned, covered: 0 };
  for (const note of await em.find(CreditNote, { invoice: invoice.id })) {
    returned.credited += note.creditedAmount;
    returned.setOff += note.setOffAmount;
    returned.covered -= note.refundedAmount + note.writtenOffAmount;
  }
  return returned;
}

/** The amount of all credit notes of an invoice that is on the balance or was used from there, in minor units. */
export async function creditedFor(session: Session, invoice: Invoice): Promise<number> {
  const { credited, covered } = await returnedBy(session, invoice);
  return Math.max(0, credited - covered);
}

/** The amount that stays paid once the pending refunds have succeeded, in minor units. */
async function paidAfterRefunds(session: Session, invoice: Invoice): Promise<number> {
  const pending = await session.em.find(Refund, {
    payment: { invoice: invoice.id },
    status: { $in: [...openRefundStatuses] },
  });
  const paid = await amountPaid(session, invoice);
  // The balance has paid for the rest of a pending refund already.
  return pending.reduce((sum, { amount, fromBalance }) => sum - amount + fromBalance, paid);
}

/** The amount that stays paid, in minor units, without what callers have credited to the balance. */
export async function amountKept(session: Session, invoice: Invoice): Promise<number> {
  const { covered } = await returnedBy(session, invoice);
  const credited = Math.max(0, (await creditedByHand(session, invoice)) - covered);
  return (await paidAfterRefunds(session, invoice)) - credited;
}

/**
 * The amount that was paid for an invoice and not returned: neither refunded, credited nor set off on another invoice.
 * It is below 0 if a payment is gone that a credit note has credited.
 */
export async function unreturned(session: Session, invoice: Invoice): Promise<number> {
  const { credited, setOff, covered } = await returnedBy(session, invoice);
  // A void invoice has no credit note for what another invoice sets off.
  const returned = invoice.status === 'void' ? credited : credited + setOff;
  return (await paidAfterRefunds(session, invoice)) - returned + covered;
}
