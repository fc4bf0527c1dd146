import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
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

const hour = 3_600_000;
const longestHours = 24;

/**
 * Repeats a run later whose request the processor refused for a reason that the operator has to remove: after 1 hour,
 * then 2, 4 and so on, up to a day. It is no attempt of the dunning.
 */
export async function postponeRun({ em, now }: Session, run: BillingRun): Promise<undefined> {
  const failed = { billingRunId: run.id, failureKind: 'configuration' as const };
  const count = await em.count(Payment, failed);
  const pause = Math.min(2 ** Math.max(0, count - 1), longestHours) * hour;
  run.status = 'started';
  run.dueAt = new Date(now.getTime() + pause);
}
