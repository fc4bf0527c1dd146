import type { Invoice } from '../invoices/invoice.ts';
import type { Session } from '../session.ts';
import { BillingRun, unbegunRunStatuses } from './billing-run.ts';

/** Takes back the tries to be paid for an invoice that have not begun. */
export async function abortRetries({ em }: Session, invoice: Invoice, reason: string) {
  if (!invoice.billingPeriodId || invoice.isAdjustment) return;
  const runs = { billingPeriod: invoice.billingPeriodId, status: { $in: [...unbegunRunStatuses] } };
  for (const run of await em.find(BillingRun, runs)) run.end('aborted', reason);
}
