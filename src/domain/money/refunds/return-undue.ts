import { creditInvoices } from '#domain/invoicing/crediting/credit-invoices.ts';
import { creditSetOff } from '#domain/invoicing/crediting/note-usage.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Refund } from '#domain/model/money/refund.ts';
import { returnsOfCutShort } from '#domain/money/outcomes/cut-short.ts';
import type { LockedPayment } from './lock-payment.ts';
import { openRefund } from './open-refund.ts';

type Parts = Omit<LockedPayment, 'session'>;

/** Opens the refund of the payment for a period that was cut short, without the used part. */
export async function refundPeriod(session: Session, parts: Parts): Promise<Refund | null> {
  const { payment, invoice, run, customer } = parts;
  invoice.status = 'paid';
  run?.end('succeeded');
  const { refund: amount, credit, corrections } = await returnsOfCutShort(invoice, payment);
  const reason = { reason: 'period_cut_short', description: 'The period was cut short' } as const;
  const refund = amount > 0 ? await openRefund(session, parts, amount, reason) : null;
  await creditInvoices(session, customer, [invoice], credit, reason);
  if (corrections > 0) await creditSetOff(session, customer, invoice, corrections);
  await session.em.flush();
  return refund;
}

/**
 * Opens the refund of a payment whose invoice was paid in another way, or is not to be paid any more. The invoice does not get the
 * money, so there is no credit note: the customer has it as a credit until it is refunded.
 */
export async function refundAll(session: Session, parts: Parts): Promise<Refund> {
  const { payment, customer, run } = parts;
  if (run?.isOpen) run.end('aborted', 'The invoice is not to be paid any more');
  payment.creditedAmount = payment.amount;
  customer.creditBalance += payment.amount;
  return openRefund(session, parts, payment.amount, { reason: 'refund' });
}
