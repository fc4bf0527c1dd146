import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { openInvoice } from '../invoices/open-invoice.ts';
import { payerFor } from '../payments/begin-payment.ts';
import type { Session } from '../session.ts';
import { lockSubscription } from '../subscriptions/lock-subscription.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { billUsage } from './bill-usage.ts';
import { BillingRun, openRunStatuses } from './billing-run.ts';
import { giveBackUsage } from './give-back-usage.ts';
import { scheduleRun } from './schedule-run.ts';
import { areCharged, usageLines } from './usage-lines.ts';

/** Why a subscription may end without its payment method being charged once more. */
const uncharged = ['non_payment', 'customer_archived'];

/**
 * Bills what a subscription that has just ended used in its last period, since no later run will: an invoice
 * beside the one of the period, which is charged once. Whoever did not pay, or is archived, is not charged; the
 * invoice stays open then. Where more is to be given back than is to be paid, that goes to the customer's credit
 * balance.
 */
export async function billLastUsage(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
) {
  const { em, now } = session;
  if (await giveBackUsage(session, subscription)) return;
  if (subscription.doNotCharge) return;
  const lines = await usageLines(session, subscription, 0);
  if (!areCharged(lines)) return;
  const customer = await subscription.customer.loadOrFail();
  const heading = { type: 'subscription', status: 'open', isAdjustment: true } as const;
  const invoice = await openInvoice(session, customer, { ...heading, subscription, period }, lines);
  await billUsage(session, subscription, invoice);
  if (!(await payerFor(session, subscription))) return;
  if (uncharged.includes(subscription.cancellationReason ?? '')) return;
  const runs = await em.find(BillingRun, { billingPeriod: period.id });
  if (runs.some(({ status }) => (openRunStatuses as readonly string[]).includes(status))) return;
  const attemptNumber = 1 + Math.max(0, ...runs.map((run) => run.attemptNumber));
  const run = scheduleRun(session, subscription, period, { at: now, attemptNumber });
  run.status = 'started';
  run.invoice = invoice as never;
}

/**
 * Part of a transaction that has corrected usage: where its subscription has ended, the difference is given back, or
 * billed, since no later run does.
 */
export async function settleAfterEnd(session: Session, subscriptionId: string) {
  const { subscription, session: then } = await lockSubscription(session, subscriptionId);
  if (!subscription.isTerminal) return;
  const period = await then.em.findOne(
    BillingPeriod,
    { subscription: subscriptionId },
    { orderBy: { startDate: 'desc' } },
  );
  if (period) await billLastUsage(then, subscription, period);
}
