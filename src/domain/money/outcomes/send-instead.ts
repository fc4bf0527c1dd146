import { followLastInvoice } from '#domain/invoicing/billing/bill-last-usage.ts';
import { sendInvoice } from '#domain/invoicing/billing/send-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { settleStanding } from './mark-paid.ts';
import { adjustAsSent } from './settle-adjustment.ts';

interface Sent {
  readonly run: BillingRun;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

/**
 * The last step of a run whose invoice is sent instead of charged. The run succeeds, since nothing more is to be done
 * for it: an adjustment is applied, and a subscription that waited for a payment method is in good standing.
 */
export async function sendInstead(session: Session, { run, invoice, subscription }: Sent) {
  sendInvoice(session, invoice);
  if (run.isAdjustment) return adjustAsSent(session, { run, invoice, subscription });
  run.end('succeeded');
  // Its period may have ended before the invoice was written.
  const period = await run.billingPeriod.loadOrFail();
  if (invoice.purpose === 'period' && period.status === 'past_due') {
    period.status = period.endDate <= session.now ? 'completed' : 'active';
  }
  await settleStanding(session, subscription);
  await followLastInvoice(session, subscription);
}
