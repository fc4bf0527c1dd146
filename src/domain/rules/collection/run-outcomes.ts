import type { BillingRun } from '#domain/billing-runs/billing-run.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { failRun } from './dunning.ts';
import { markPaid, type Paid } from './mark-paid.ts';
import { adjustAsPaid, dropAdjustment } from './settle-adjustment.ts';

interface Charged {
  readonly run: BillingRun;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

/** Follows the payment of an invoice in full: a run that adjusts applies its adjustment. */
export function followPaid(session: Session, { run, invoice, subscription }: Paid): Promise<void> {
  return run?.isAdjustment && subscription
    ? adjustAsPaid(session, { run, invoice, subscription })
    : markPaid(session, { run, invoice, subscription });
}

/** Follows the failure of a run: an adjustment is dropped, a charge for a period is retried later. */
export function followFailure(session: Session, charged: Charged, reason: string): Promise<void> {
  return charged.run.isAdjustment
    ? dropAdjustment(session, charged, reason)
    : failRun(session, charged, reason);
}
