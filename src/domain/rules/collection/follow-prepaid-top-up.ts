import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidTopUp } from '#domain/prepaid-top-ups/prepaid-top-up.ts';
import { writeOffInvoice } from '#domain/rules/invoicing/write-off-invoice.ts';

/**
 * Follows a payment that has failed: the top-up that has ordered the credit stops, and the invoice becomes void. A
 * purchase by anyone else stays as it is. The customer is locked.
 */
export async function failPrepaidTopUp(session: Session, invoice: Invoice, problem: string) {
  const { prepaidCreditId } = invoice;
  if (!prepaidCreditId) return;
  const pending = { pendingCreditId: prepaidCreditId };
  const topUp = await session.em.findOne(PrepaidTopUp, pending, { refresh: true });
  if (!topUp) return;
  topUp.stop(problem);
  await session.em.flush();
  await writeOffInvoice(session, invoice, 'void');
}
