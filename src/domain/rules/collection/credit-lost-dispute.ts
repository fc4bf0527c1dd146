import type { Session } from '#domain/kernel/session.ts';
import { uncredited } from '#domain/rules/invoicing/credit-invoices.ts';
import { settleRefunded, writeCreditNote } from '#domain/rules/invoicing/write-credit-note.ts';
import { returnPaid } from './execute-refund.ts';
import type { lockPayment } from './settle-payment.ts';

/**
 * Records that the bank has returned an amount of a locked payment to the customer, since a dispute is lost. The
 * amount counts as refunded, with a credit note. A part that was credited before is deducted from the balance, as far
 * as that reaches. Part of a command that has called `lockPayment`.
 */
export async function creditLostDispute(
  session: Session,
  { payment, invoice, customer }: Awaited<ReturnType<typeof lockPayment>>,
  amount: number,
  description: string,
): Promise<void> {
  const of = Math.min(amount, await uncredited(session, invoice));
  const settle = () => ({});
  if (of > 0) {
    const heading = { of, reason: 'dispute_lost', description, settle } as const;
    settleRefunded(writeCreditNote(session, customer, invoice, heading), invoice, of);
  }
  customer.creditBalance -= Math.min(amount - of, customer.creditBalance);
  await returnPaid(session, { payment, invoice }, amount);
}
