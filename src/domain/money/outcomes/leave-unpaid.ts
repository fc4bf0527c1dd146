import { abortRetries } from '#domain/invoicing/billing/abort-retries.ts';
import { followLastInvoice } from '#domain/invoicing/billing/bill-last-usage.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { chargeOwed } from '#domain/subscriptions/lifecycle/charge-owed.ts';
import { owesInvoices, settleStanding } from './mark-paid.ts';

interface Unpaid {
  readonly invoice: Invoice;
  readonly subscription: Subscription | null;
}

/** Applies that an invoice, void or written off, will not be paid: aborts its retries and updates its subscription. */
export async function leaveUnpaid(session: Session, { invoice, subscription }: Unpaid) {
  await abortRetries(session, invoice, `The invoice is ${invoice.status}`);
  if (!subscription) return;
  await settleOwed(session, invoice, subscription);
  await followLastInvoice(session, subscription);
}

/**
 * Updates a locked subscription when one of its invoices will not be paid. The period of the invoice is not owed for,
 * and the subscription is in good standing once it owes nothing else. A current period that was never charged is
 * charged first.
 */
async function settleOwed(session: Session, invoice: Invoice, subscription: Subscription) {
  const { em, now } = session;
  const period = await invoice.billingPeriod?.loadOrFail();
  if (period?.status === 'past_due' && ['period', 'threshold'].includes(invoice.purpose)) {
    period.status = period.endDate <= now ? 'completed' : 'active';
  }
  if (!['past_due', 'unpaid'].includes(subscription.status)) {
    if (subscription.unpaidAccess) await settleStanding(session, subscription);
    return;
  }
  await em.flush();
  if (await owesInvoices(session, subscription)) return;
  if (!(await chargeOwed(session, subscription))) await settleStanding(session, subscription);
}
