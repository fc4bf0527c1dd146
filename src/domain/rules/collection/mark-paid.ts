import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import {
  BillingRun,
  regularPurposes,
  unbegunRunStatuses,
} from '#domain/billing-runs/billing-run.ts';
import { Invoice, payableStatuses } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { abortRetries } from '#domain/rules/invoicing/abort-retries.ts';
import { followLastInvoice } from '#domain/rules/invoicing/bill-last-usage.ts';
import { followBoughtCredit } from '#domain/rules/invoicing/follow-bought-credit.ts';
import { grantFirstCredits } from '#domain/rules/ledger/grant-first-credits.ts';
import { creditAwaited } from '#domain/rules/lifecycle/credit-period.ts';
import { grantPurchases } from '#domain/rules/lifecycle/grant-purchases.ts';
import { replaceFreePlan } from '#domain/rules/lifecycle/replace-free-plan.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { succeedCheckout } from './settle-checkout.ts';

/** An invoice that is paid, with its run and subscription, if any. */
export interface Paid {
  readonly invoice: Invoice;
  readonly run: BillingRun | null;
  readonly subscription: Subscription | null;
}

/**
 * Applies the full payment of an invoice. Its run succeeds, other runs are aborted, and its period is not owed for.
 * The subscription is in good standing once no other invoice of it is open.
 */
export async function markPaid(session: Session, paid: Paid) {
  const { invoice, run, subscription } = paid;
  const isAwaited = subscription !== null && awaiting.includes(subscription.status);
  invoice.status = 'paid';
  run?.end('succeeded');
  await followBoughtCredit(session, invoice);
  await settleSubscription(session, paid);
  await succeedCheckout(session, { invoice, subscription: isAwaited ? subscription : null });
}

/** The statuses of a subscription that awaits a payment. */
const awaiting: readonly string[] = ['incomplete', 'past_due', 'unpaid'];

async function settleSubscription(session: Session, { invoice, run, subscription }: Paid) {
  const { em, now } = session;
  const { billingPeriodId } = invoice;
  if (!subscription || !billingPeriodId) return;
  if (invoice.purpose === 'period') {
    const period = await settlePeriod({ em, now }, billingPeriodId, run);
    await creditAwaited(session, await invoice.customer.loadOrFail(), period, invoice);
    await grantFirstCredits(session, subscription, period);
  }
  if (invoice.purpose === 'threshold') {
    await abortRetries(session, invoice, 'The invoice has been paid');
    await settleOwedPeriod(session, billingPeriodId);
  }
  if (invoice.purpose === 'adjustment' && invoice.isSent) {
    const period = await em.findOneOrFail(BillingPeriod, billingPeriodId);
    await creditAwaited(session, await invoice.customer.loadOrFail(), period);
  }
  await settleStanding(session, subscription);
  await followLastInvoice(session, subscription);
}

/**
 * Restores the status of a locked subscription that awaits payment once no invoice of it is open. With the first
 * payment it replaces the customer's free plan.
 */
export async function settleStanding(session: Session, subscription: Subscription) {
  const { em } = session;
  if (!awaiting.includes(subscription.status)) return;
  await em.flush();
  if (await owesInvoices(session, subscription)) return;
  const begins = subscription.status === 'incomplete';
  if (begins) await replaceFreePlan(session, subscription);
  subscription.status = 'active';
  if (!begins) return;
  await em.flush();
  await grantPurchases(session, subscription);
}

/** Whether an invoice for a period of a subscription is still to be paid; one that was sent counts while overdue. */
export async function owesInvoices({ em }: Session, { id: subscription }: Subscription) {
  const status = { $in: [...payableStatuses] };
  const charged = {
    collectionMethod: 'charge_automatically',
    purpose: { $in: ['period', 'threshold'] },
  } as const;
  const sent = {
    collectionMethod: 'send_invoice',
    purpose: { $in: ['period', 'adjustment', 'threshold'] },
    overdueAt: { $ne: null },
  } as const;
  return (await em.count(Invoice, { subscription, status, $or: [charged, sent] })) > 0;
}

/** A period whose usage was billed while it was running is not owed for once no other invoice of it is open. */
async function settleOwedPeriod({ em, now }: Session, billingPeriod: string) {
  await em.flush();
  const open = { billingPeriod, status: { $in: [...payableStatuses] } };
  const period = await em.findOneOrFail(BillingPeriod, billingPeriod);
  if (period.status !== 'past_due' || (await em.count(Invoice, open)) > 0) return;
  period.status = period.endDate <= now ? 'completed' : 'active';
}

/** A paid period needs no other run, and is not owed for. */
async function settlePeriod(
  { em, now }: Pick<Session, 'em' | 'now'>,
  billingPeriodId: string,
  run: BillingRun | null,
) {
  const others = {
    billingPeriod: billingPeriodId,
    purpose: { $in: [...regularPurposes] },
    status: { $in: [...unbegunRunStatuses] },
  };
  for (const other of await em.find(BillingRun, others)) {
    if (other.id !== run?.id) other.end('aborted', 'The invoice has been paid');
  }
  const period = await em.findOneOrFail(BillingPeriod, billingPeriodId);
  if (period.status === 'past_due') period.status = period.endDate <= now ? 'completed' : 'active';
  return period;
}
