import { openInvoice } from '#domain/invoicing/billing/open-invoice.ts';
import { sendInvoice } from '#domain/invoicing/billing/send-invoice.ts';
import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import type { Customer } from '#domain/model/platform/customer.ts';

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
