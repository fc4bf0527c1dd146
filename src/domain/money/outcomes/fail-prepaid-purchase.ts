import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';

/**
 * Follows a payment for credit that has failed, or was not possible (null): the top-up that has ordered the credit
 * stops, and the invoice becomes void. So does that of a purchase by the customer itself, who may buy again. Another
 * purchase stays as it is, and so does an invoice that was sent: the customer pays it in any way. The customer is
 * locked.
 */
export async function failPrepaidPurchase(
  session: Session,
  invoice: Invoice,
  payment: Payment | null,
  problem: string,
) {
  const { prepaidCreditId } = invoice;
  if (!prepaidCreditId || invoice.isSent) return;
  if (payment && !(await isFirst(session, invoice, payment))) return;
  const credit = await session.em.findOneOrFail(PrepaidCredit, prepaidCreditId);
  if (credit.boughtByCustomer) return writeOffInvoice(session, invoice, 'void');
  const pending = { pendingCreditId: prepaidCreditId };
  const topUp = await session.em.findOne(PrepaidTopUp, pending, { refresh: true });
  if (!topUp) return;
  topUp.pendingCreditId = null;
  topUp.boughtInMonth = Math.max(0, topUp.boughtInMonth - topUp.amount);
  topUp.stop(problem);
  await session.em.flush();
  await writeOffInvoice(session, invoice, 'void');
}

/** Whether a payment is the first one of an invoice, which the top-up has opened. */
async function isFirst({ em }: Session, { id }: Invoice, payment: Payment): Promise<boolean> {
  const first = await em.findOne(Payment, { invoice: id }, { orderBy: { position: 'asc' } });
  return first?.id === payment.id;
}
