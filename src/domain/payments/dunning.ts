import { followLastInvoice } from '../billing-runs/bill-last-usage.ts';
import type { BillingRun } from '../billing-runs/billing-run.ts';
import { scheduleRun } from '../billing-runs/schedule-run.ts';
import { returnCredit } from '../customers/credit-balance.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { Organization } from '../organizations/organization.ts';
import { PaymentMethod } from '../payment-methods/payment-method.ts';
import type { Session } from '../session.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { openPayment } from './begin-payment.ts';
import { Payment } from './payment.ts';

interface Failed {
  readonly run: BillingRun;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

const dayMilliseconds = 86_400_000;

/** The backup payment method's turn, once in a run, when another one has failed. */
export async function tryBackup(
  session: Session,
  { run, invoice, subscription }: Failed,
): Promise<Payment | undefined> {
  const { em } = session;
  const id = subscription.backupPaymentMethodId;
  const backup = id && (await em.findOne(PaymentMethod, { id, detachedAt: null }));
  if (!backup) return undefined;
  if ((await em.count(Payment, { billingRunId: run.id, method: backup.id })) > 0) return undefined;
  return openPayment(session, invoice, backup, run, subscription);
}

/**
 * What follows when a run has failed (reference §4.8): a subscription that has never been paid for ends at
 * once; otherwise it is past due and tried again after the organization's pauses; after the last try it
 * ends, or stays unpaid, as the organization has chosen.
 */
export async function failRun(session: Session, failed: Failed, reason: string) {
  const { em, now, organizationId } = session;
  const { run, invoice, subscription } = failed;
  run.end('failed', reason);
  await em.flush();
  if (subscription.isTerminal) return followLastInvoice(session, subscription);
  const paid = {
    subscriptionId: subscription.id,
    status: { $in: ['succeeded', 'refunded'] as const },
  };
  if (!subscription.isFreePlan && (await em.count(Payment, paid)) === 0) {
    invoice.status = 'void';
    await returnCredit(session, await invoice.customer.loadOrFail(), invoice);
    return endSubscription(session, subscription, { reason: 'non_payment', thenFreePlan: true });
  }
  const { dunningRetryDays, dunningFinalAction } = await em.findOneOrFail(
    Organization,
    organizationId,
  );
  const pause = dunningRetryDays[run.attemptNumber - 1];
  if (pause !== undefined) {
    const at = new Date(now.getTime() + pause * dayMilliseconds);
    const period = await run.billingPeriod.loadOrFail();
    scheduleRun(session, subscription, period, { at, attemptNumber: run.attemptNumber + 1 });
    if (subscription.status === 'active') subscription.status = 'past_due';
    return;
  }
  if (dunningFinalAction === 'cancel') {
    invoice.status = 'uncollectible';
    await returnCredit(session, await invoice.customer.loadOrFail(), invoice);
    await endSubscription(session, subscription, { reason: 'non_payment', thenFreePlan: true });
  } else if (subscription.status !== 'cancellation_scheduled') {
    subscription.status = 'unpaid';
  }
}
