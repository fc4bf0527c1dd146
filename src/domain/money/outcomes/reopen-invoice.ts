import { paymentMethodFor } from '#domain/invoicing/billing/payment-method-for.ts';
import { retryRun } from '#domain/invoicing/billing/schedule-run.ts';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { followBoughtCredit } from '#domain/invoicing/crediting/follow-bought-credit.ts';
import { noteWriteOff } from '#domain/invoicing/crediting/write-off-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, regularPurposes } from '#domain/model/money/billing-run.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';

const dayMilliseconds = 86_400_000;

/**
 * Opens a locked invoice again that is not paid in full any more. It is due as before, so a date in the past makes it
 * overdue. A period that is owed for makes its subscription past due, and an invoice that is charged is tried again
 * after the organization's next pause. The effects of its payment stay: granted credits and applied adjustments.
 */
export async function reopenInvoice(
  session: Session,
  invoice: Invoice,
  subscription: Subscription | null,
) {
  const { em } = session;
  await em.flush();
  if (invoice.status === 'uncollectible') {
    // The amount that is due again is written off with the rest.
    await noteWriteOff(session, await invoice.customer.loadOrFail(), invoice);
    return followBoughtCredit(session, invoice);
  }
  if (!['paid', 'partially_refunded'].includes(invoice.status)) return;
  if (await isPaid(session, invoice)) return;
  invoice.status = 'open';
  await followBoughtCredit(session, invoice);
  const { billingPeriodId, purpose, isSent } = invoice;
  const isOwed = ['period', 'threshold'].includes(purpose) || (purpose === 'adjustment' && isSent);
  if (!subscription || !billingPeriodId || !isOwed) return;
  // One that is sent and not overdue yet is owed without being late.
  if (isSent && !invoice.overdueAt) return;
  const period = await em.findOneOrFail(BillingPeriod, billingPeriodId);
  if (purpose === 'period' && period.status !== 'canceled') period.status = 'past_due';
  if (subscription.isTerminal) return;
  if (subscription.status === 'active') subscription.status = 'past_due';
  if (!isSent) await scheduleRetry(session, { subscription, period, invoice });
}

/** Schedules the next attempt, unless one is scheduled; without a payment method none is made. */
async function scheduleRetry(
  session: Session,
  { subscription, period, invoice }: Parameters<typeof retryRun>[1],
) {
  const { em, now } = session;
  if (subscription.doNotCharge || !(await paymentMethodFor(session, subscription))) return;
  const of =
    invoice.purpose === 'threshold'
      ? { invoice: invoice.id }
      : { billingPeriod: period.id, purpose: { $in: [...regularPurposes] } };
  const runs = await em.find(BillingRun, of);
  if (runs.some(({ isOpen }) => isOpen)) return;
  const attempts = Math.max(0, ...runs.map(({ attemptNumber }) => attemptNumber));
  const { dunningRetryDays } = await settingsOf(session);
  const pause = dunningRetryDays[Math.max(0, attempts - 1)] ?? dunningRetryDays.at(-1) ?? 0;
  const at = new Date(now.getTime() + pause * dayMilliseconds);
  retryRun(session, { subscription, period, invoice }, { at, attemptNumber: attempts + 1 });
}
