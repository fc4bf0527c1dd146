import { followLastInvoice } from '#domain/invoicing/billing/bill-last-usage.ts';
import { hasPaid } from '#domain/invoicing/billing/has-paid.ts';
import { retryRun } from '#domain/invoicing/billing/schedule-run.ts';
import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { chargeableBackup } from '#domain/money/methods/chargeable-method.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { endSubscription } from '#domain/subscriptions/lifecycle/end-subscription.ts';
import { chargesUsage, dropCutShort, isCutShort } from './cut-short.ts';

interface Failed {
  readonly run: BillingRun;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

const dayMilliseconds = 86_400_000;

/** The backup payment method that is charged after another one has failed, once in a run; null without one. */
export async function untriedBackup(
  session: Session,
  { run, subscription }: Failed,
): Promise<PaymentMethod | null> {
  const { em } = session;
  const backup = await chargeableBackup(session, subscription);
  if (!backup) return null;
  const tried = await em.count(Payment, { billingRunId: run.id, method: backup.id });
  return tried > 0 ? null : backup;
}

/**
 * Applies the failure of a run. A subscription that was never paid ends now. Any other is past due and retried after
 * the organization's pauses. After the last retry the organization's setting decides: it stays unpaid, or it ends and
 * its open invoices are written off.
 */
export async function failRun(session: Session, failed: Failed, reason: string) {
  const { em, now } = session;
  const { run, invoice, subscription } = failed;
  run.end('failed', reason);
  await em.flush();
  if (subscription.isTerminal) return concludeEnded(session, subscription, invoice);
  const isWaiting = !subscription.isFreePlan && !subscription.sendsInvoices;
  if (isWaiting && !(await hasPaid(session, subscription))) {
    return endUnpaid(session, subscription, invoice);
  }
  const { dunningRetryDays } = await settingsOf(session);
  const pause = dunningRetryDays[run.attemptNumber - 1];
  if (pause !== undefined) {
    const at = new Date(now.getTime() + pause * dayMilliseconds);
    const period = await run.billingPeriod.loadOrFail();
    retryRun(
      session,
      { subscription, period, invoice },
      { at, attemptNumber: run.attemptNumber + 1 },
    );
    if (subscription.status === 'active') subscription.status = 'past_due';
    return;
  }
  await concludeDunning(session, subscription, invoice);
}

/**
 * The organization's final action for an invoice that is not paid after the last retry or reminder: its subscription
 * stays unpaid, or ends. An invoice of a subscription that has ended is dropped where it was cut short.
 */
export async function concludeDunning(
  session: Session,
  subscription: Subscription,
  invoice: Invoice,
) {
  if (subscription.isTerminal) return concludeEnded(session, subscription, invoice);
  const { dunningFinalAction, unpaidAccess } = await settingsOf(session);
  if (dunningFinalAction === 'cancel') await endUnpaid(session, subscription, invoice);
  else subscription.leaveUnpaid(unpaidAccess, session.now);
}

async function concludeEnded(session: Session, subscription: Subscription, invoice: Invoice) {
  if (await isCutShort(invoice, subscription)) await dropCutShort(session, invoice, subscription);
  else if (subscription.cancellationReason === 'non_payment') await giveUp(session, subscription);
  return followLastInvoice(session, subscription);
}

/**
 * Ends a locked subscription that is not paid, and writes off its invoice and every other open one. The last usage is
 * billed at the end, so that invoice is written off after the others.
 */
async function endUnpaid(session: Session, subscription: Subscription, invoice: Invoice) {
  await writeOffInvoice(session, invoice, await lastStatusOf(session, subscription, invoice));
  await giveUp(session, subscription);
  await endSubscription(session, subscription, { reason: 'non_payment', thenFreePlan: true });
  await giveUp(session, subscription);
}

/**
 * The status of an unpaid invoice: void for the plan of a subscription that never began, since it was never paid. Usage
 * was delivered, and so was a free plan.
 */
async function lastStatusOf(session: Session, subscription: Subscription, invoice: Invoice) {
  const { isFreePlan, sendsInvoices } = subscription;
  const wasDelivered =
    isFreePlan ||
    sendsInvoices ||
    (await hasPaid(session, subscription)) ||
    (await chargesUsage(invoice));
  return wasDelivered ? 'uncollectible' : 'void';
}

/** Writes off every open invoice of a subscription. */
async function giveUp(session: Session, subscription: Subscription) {
  const { em } = session;
  await em.flush();
  const open = { subscription: subscription.id, status: 'open' as const };
  const oldestFirst = { orderBy: { createdAt: 'asc', invoiceNumber: 'asc' } } as const;
  for (const invoice of await em.find(Invoice, open, oldestFirst)) {
    await writeOffInvoice(session, invoice, await lastStatusOf(session, subscription, invoice));
  }
}
