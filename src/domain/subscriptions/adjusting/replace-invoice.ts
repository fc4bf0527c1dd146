import { returnCredit, useBalance, useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import type { ChargedAdjustment } from '#domain/model/subscriptions/planned-item.ts';

/**
 * Voids an unpaid invoice of a period that an adjustment has replaced. Aborts its retries and returns its applied
 * credit to the customer.
 */
export async function replaceInvoice(session: Session, id: string) {
  const { em } = session;
  const invoice = await em.findOneOrFail(Invoice, id, { refresh: true });
  if (invoice.status !== 'open') return;
  invoice.status = 'void';
  await returnCredit(session, await invoice.customer.loadOrFail(), invoice);
  const retries = {
    billingPeriod: invoice.billingPeriodId ?? '',
    purpose: 'period' as const,
    status: { $in: [...openRunStatuses] },
  };
  for (const retry of await em.find(BillingRun, retries)) {
    retry.end('aborted', 'An adjustment replaced it');
  }
}

/** The invoice that an adjustment would have replaced, where it is still to be paid. */
export async function stillUnpaid(
  { em }: Session,
  { replacedInvoiceId }: ChargedAdjustment,
): Promise<Invoice | null> {
  if (!replacedInvoiceId) return null;
  const invoice = await em.findOneOrFail(Invoice, replacedInvoiceId, { refresh: true });
  return invoice.status === 'open' ? invoice : null;
}

/** Applies the credit balance again that was applied to an invoice that is not replaced after all. */
export async function restoreCredit(
  session: Session,
  invoice: Invoice,
  { returnedCredit = 0, returnedPrepaid }: ChargedAdjustment,
) {
  if (returnedCredit === 0) return;
  const customer = await invoice.customer.loadOrFail();
  if (returnedPrepaid) useBalance(customer, invoice, returnedCredit);
  // In adjustments of earlier versions it contains prepaid credit.
  else await useCredit(session, customer, invoice, returnedCredit);
}
