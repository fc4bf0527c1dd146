import { ref } from '@mikro-orm/core';
import { useCredit } from '#domain/invoicing/crediting/credit-balance.ts';
import { noteSetOff } from '#domain/invoicing/crediting/note-usage.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lastPeriodOf } from '#domain/platform/reads/current-period.ts';
import { billUsage } from './bill-usage.ts';
import { creditUsage } from './credit-usage.ts';
import { discountedLines } from './discount-lines.ts';
import { billOneOffs } from './one-off-lines.ts';
import { openInvoice } from './open-invoice.ts';
import { paymentMethodFor } from './payment-method-for.ts';
import { scheduleRun } from './schedule-run.ts';
import { unbilledUsage } from './unbilled-usage.ts';
import { areCharged } from './usage-lines.ts';

/** The reasons of an end after which the payment method is not charged again, and nothing is sent. */
const uncharged = ['non_payment', 'customer_archived'];

/**
 * Bills what no later run does for a subscription that has just ended: usage of its last period, the difference to a
 * commitment, and one-off charges. The separate invoice is paid by the credit balance as far as it reaches, then charged
 * once or sent. A customer that is archived or has not paid is not charged; the invoice stays open. If the credit
 * exceeds the amount due, the difference goes to the customer's credit balance.
 */
export async function billLastUsage(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
) {
  const unbilled = await unbilledUsage(session, subscription);
  const isSettled = await creditUsage(session, subscription, unbilled);
  if (subscription.doNotCharge) return;
  // A credit changes usage that is unbilled, and nothing where there is none.
  const left = unbilled.length === 0 ? unbilled : undefined;
  const owed = await discountedLines(session, subscription, [], null, left);
  const { usage, commitments, oneOffs, lines, use } = owed;
  if (!areCharged(isSettled ? oneOffs : [...usage, ...commitments, ...oneOffs])) return;
  const customer = await subscription.customer.loadOrFail();
  const heading = { purpose: 'last_usage', status: 'open' } as const;
  const invoice = await openInvoice(session, customer, { ...heading, subscription, period }, lines);
  use();
  billOneOffs(session, invoice, oneOffs);
  await billUsage(session, subscription, invoice, usage);
  await noteSetOff(session, customer, invoice, [...usage, ...commitments]);
  await useCredit(session, customer, invoice);
  await chargeLastUsage(session, subscription, period);
}

/**
 * Charges the earliest uncharged invoice for the last usage of a locked subscription. A period has one charge at a
 * time: the next one follows when that is settled.
 */
async function chargeLastUsage(
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
      purpose: 'last_usage',
      status: 'open',
    },
    { orderBy: { createdAt: 'asc', invoiceNumber: 'asc' } },
  );
  const isCharged = !uncharged.includes(subscription.cancellationReason ?? '');
  const method = isCharged && (await paymentMethodFor(session, subscription));
  const invoice = invoices.find(({ total, creditApplied, isSent }) =>
    isSent ? isCharged : method || creditApplied >= total,
  );
  if (!invoice) return;
  const attemptNumber = 1 + Math.max(0, ...runs.map((run) => run.attemptNumber));
  const timing = { at: now, attemptNumber };
  const run = scheduleRun(session, subscription, period, timing, 'last_usage');
  run.status = 'started';
  run.invoice = ref(invoice);
}

/**
 * Part of a transaction that has corrected usage. If its subscription has ended, it credits or bills the difference,
 * since no later run does.
 */
export async function billAfterEnd(session: Session, subscriptionId: string) {
  const { subscription, session: atLock } = await lockSubscription(session, subscriptionId);
  if (!subscription.isTerminal) return;
  const period = await lastPeriodOf(atLock, subscription);
  if (period) await billLastUsage(atLock, subscription, period);
}

/**
 * Runs after an invoice of a locked subscription that has ended is paid or finally unpaid. Credits or writes off the
 * corrections made meanwhile, and charges the next invoice for the last usage.
 */
export async function followLastInvoice(session: Session, subscription: Subscription) {
  if (!subscription.isTerminal) return;
  await session.em.flush();
  await creditUsage(session, subscription);
  const period = await lastPeriodOf(session, subscription);
  if (period) await chargeLastUsage(session, subscription, period);
}
