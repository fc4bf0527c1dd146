import { abortRetries } from '#domain/invoicing/billing/abort-retries.ts';
import { followLastInvoice } from '#domain/invoicing/billing/bill-last-usage.ts';
import { followBoughtCredit } from '#domain/invoicing/crediting/follow-bought-credit.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantFirstCredits } from '#domain/metering/credits/grant-first-credits.ts';
import { rollOverUsage } from '#domain/metering/credits/roll-over-usage.ts';
import { Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import {
  BillingRun,
  regularPurposes,
  unbegunRunStatuses,
} from '#domain/model/money/billing-run.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { chargeCurrent } from '#domain/subscriptions/lifecycle/charge-owed.ts';
import { creditAwaited } from '#domain/subscriptions/lifecycle/credit-period.ts';
import { grantPurchases } from '#domain/subscriptions/lifecycle/grant-purchases.ts';
import { replaceFreePlan } from '#domain/subscriptions/lifecycle/replace-free-plan.ts';
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
 * payment it replaces the customer's free plan. One that was unpaid has its access back.
 */
export async function settleStanding(session: Session, subscription: Subscription) {
  const { em } = session;
  if (!awaiting.includes(subscription.status) && !subscription.unpaidAccess) return;
  await em.flush();
  if (await owesInvoices(session, subscription)) return;
  if (subscription.unpaidAccess) return restoreAccess(session, subscription);
  const begins = subscription.status === 'incomplete';
  if (begins) await replaceFreePlan(session, subscription);
  subscription.status = 'active';
  if (!begins) return;
  await em.flush();
  await grantPurchases(session, subscription);
}

/**
 * Restores the access of a locked subscription that was unpaid. Its current period is charged where that was never
 * done, and has the credits that waited for this payment; those of earlier periods are lost.
 */
async function restoreAccess(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const period = await currentPeriod(session, subscription);
  const waited = period && subscription.withholdsCredits(period);
  const { status } = subscription;
  subscription.endUnpaid();
  if (status === 'unpaid') subscription.status = subscription.statusAfterwards(now);
  // A pause moves no money; its end charges the period.
  if (subscription.isCharged && status !== 'paused') await chargeCurrent(session, subscription);
  await em.flush();
  if (waited)
    await rollOverUsage(session, subscription, { ended: null, begun: period, grants: 'changed' });
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
  const [runs, period] = await Promise.all([
    em.find(BillingRun, others),
    em.findOneOrFail(BillingPeriod, billingPeriodId),
  ]);
  for (const other of runs) {
    if (other.id !== run?.id) other.end('aborted', 'The invoice has been paid');
  }
  if (period.status === 'past_due') period.status = period.endDate <= now ? 'completed' : 'active';
  return period;
}
