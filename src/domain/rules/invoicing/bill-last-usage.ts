import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { billUsage } from './bill-usage.ts';
import { useCredit } from './credit-balance.ts';
import { creditUsage } from './credit-usage.ts';
import { openInvoice } from './open-invoice.ts';
import { paymentMethodFor } from './payment-method-for.ts';
import { scheduleRun } from './schedule-run.ts';
import { areCharged, usageLines } from './usage-lines.ts';

/** Why a subscription may end without its payment method being charged once more. */
const uncharged = ['non_payment', 'customer_archived'];

/**
 * Bills what a subscription that has just ended used in its last period, since no later run will: an invoice
 * beside the one of the period, which the credit balance pays as far as it goes, and which is charged once. Whoever
 * did not pay, or is archived, is not charged; the invoice stays open then. Where more is to be given back than is
 * to be paid, that goes to the customer's credit balance.
 */
export async function billLastUsage(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
) {
  if (await creditUsage(session, subscription)) return;
  if (subscription.doNotCharge) return;
  const lines = await usageLines(session, subscription, 0);
  if (!areCharged(lines)) return;
  const customer = await subscription.customer.loadOrFail();
  const heading = { type: 'subscription', status: 'open', isAdjustment: true } as const;
  const invoice = await openInvoice(session, customer, { ...heading, subscription, period }, lines);
  await billUsage(session, subscription, invoice, lines);
  useCredit(customer, invoice);
  await chargeLastUsage(session, subscription, period);
}

/**
 * Charges the earliest invoice for the last usage of a held subscription that has not been charged yet. There is one
 * charge of a period at a time: the next one follows when that has its last word.
 */
export async function chargeLastUsage(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
) {
  const { em, now } = session;
  await em.flush();
  const runs = await em.find(BillingRun, { billingPeriod: period.id });
  if (runs.some(({ isOpen }) => isOpen)) return;
  const charged = runs.flatMap(({ invoiceId }) => invoiceId ?? []);
  const invoices = await em.find(
    Invoice,
    {
      id: { $nin: charged },
      billingPeriod: period.id,
      isAdjustment: true,
      billingRunId: null,
      status: 'open',
    },
    { orderBy: { createdAt: 'asc', invoiceNumber: 'asc' } },
  );
  const isCharged = !uncharged.includes(subscription.cancellationReason ?? '');
  const payer = isCharged && (await paymentMethodFor(session, subscription));
  const invoice = invoices.find(({ total, creditApplied }) => payer || creditApplied >= total);
  if (!invoice) return;
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
  const period = await lastPeriodOf(then, subscription);
  if (period) await billLastUsage(then, subscription, period);
}

/**
 * What follows when it is certain whether an invoice of a held subscription that has ended is paid: what was
 * corrected of it meanwhile is given back, or brings nothing, and the next one for its last usage is charged.
 */
export async function followLastInvoice(session: Session, subscription: Subscription) {
  if (!subscription.isTerminal) return;
  await session.em.flush();
  await creditUsage(session, subscription);
  const period = await lastPeriodOf(session, subscription);
  if (period) await chargeLastUsage(session, subscription, period);
}

const lastPeriodOf = ({ em }: Session, { id }: Subscription) =>
  em.findOne(BillingPeriod, { subscription: id }, { orderBy: { startDate: 'desc' } });
