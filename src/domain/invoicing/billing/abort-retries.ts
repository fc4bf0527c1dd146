import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, unbegunRunStatuses } from '#domain/model/money/billing-run.ts';

/** Aborts the pending retries of an invoice. */
export async function abortRetries({ em }: Session, invoice: Invoice, reason: string) {
  const { id, billingPeriodId, purpose } = invoice;
  if (!billingPeriodId) return;
  // Besides the invoice of its period, a period may have others for usage, with their own runs.
  const of =
    purpose === 'period'
      ? { billingPeriod: billingPeriodId, purpose: { $ne: 'threshold' as const } }
      : { invoice: id, purpose: { $ne: 'adjustment' as const } };
  const runs = { ...of, status: { $in: [...unbegunRunStatuses] } };
  for (const run of await em.find(BillingRun, runs)) run.end('aborted', reason);
}
