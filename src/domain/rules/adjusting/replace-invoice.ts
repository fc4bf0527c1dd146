import { BillingRun, openRunStatuses } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { returnCredit, useCredit } from '#domain/rules/invoicing/credit-balance.ts';
import type { ChargedAdjustment } from '#domain/subscriptions/planned-item.ts';

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

/** Applies the returned credit again to an invoice that is not replaced after all. */
export async function restoreCredit(
  session: Session,
  { replacedInvoiceId, returnedCredit = 0 }: ChargedAdjustment,
) {
  if (!replacedInvoiceId || returnedCredit === 0) return;
  const invoice = await session.em.findOneOrFail(Invoice, replacedInvoiceId, { refresh: true });
  if (invoice.status !== 'open') return;
  await useCredit(session, await invoice.customer.loadOrFail(), invoice, returnedCredit);
}
