import type { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidCredit } from '#domain/prepaid-credits/prepaid-credit.ts';
import { useCredit } from '#domain/rules/invoicing/credit-balance.ts';
import { openInvoice } from '#domain/rules/invoicing/open-invoice.ts';
import { sendInvoice } from '#domain/rules/invoicing/send-invoice.ts';

/** Prepaid credit that a customer orders. */
export type Ordered = Pick<
  PrepaidCredit,
  | 'source'
  | 'currency'
  | 'amount'
  | 'priority'
  | 'validDays'
  | 'rollovers'
  | 'rolloverLimit'
  | 'reason'
> & { readonly boughtByCustomer?: boolean };

/**
 * Part of a transaction: writes pending prepaid credit of a locked customer, and the open invoice that buys it. The
 * invoice has no tax. The credit balance pays as much of it as it can, other prepaid credit nothing. An invoice that is
 * not charged is sent.
 */
export async function openPrepaidPurchase(
  session: Session,
  customer: Customer,
  ordered: Ordered,
): Promise<{ credit: PrepaidCredit; invoice: Invoice }> {
  const { em } = session;
  const { amount, currency } = ordered;
  const id = newId('prepaid_credit');
  const heading = { purpose: 'manual', status: 'open', currency, prepaidCreditId: id } as const;
  const line = { description: 'Prepaid credit', quantity: 1, price: amount };
  const invoice = await openInvoice(session, customer, heading, [line]);
  const credit = em.create(PrepaidCredit, {
    ...ordered,
    id,
    customer,
    invoice,
    expiresAt: null,
    grantedAt: null,
    voidedAt: null,
    expiryAnnounced: null,
  });
  await useCredit(session, customer, invoice);
  if (invoice.isSent && invoice.creditApplied < invoice.total) sendInvoice(session, invoice);
  await em.flush();
  return { credit, invoice };
}
