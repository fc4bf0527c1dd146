import { BillingRun, unbegunRunStatuses } from '#domain/billing-runs/billing-run.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';

/** Takes back the tries to be paid for an invoice that have not begun. */
export async function abortRetries({ em }: Session, invoice: Invoice, reason: string) {
  const { id, billingPeriodId, isAdjustment } = invoice;
  if (!billingPeriodId) return;
  // Beside the invoice of its period there is one for the last usage, with a run of its own.
  const of = isAdjustment
    ? { invoice: id, isAdjustment: false }
    : { billingPeriod: billingPeriodId };
  const runs = { ...of, status: { $in: [...unbegunRunStatuses] } };
  for (const run of await em.find(BillingRun, runs)) run.end('aborted', reason);
}
