import { ref } from '@mikro-orm/core';
import { billRunningUsage } from '#domain/invoicing/billing/bill-running-usage.ts';
import { paymentMethodFor } from '#domain/invoicing/billing/payment-method-for.ts';
import { scheduleRun } from '#domain/invoicing/billing/schedule-run.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { unbilledRows } from '#domain/metering/alerts/compare-bill-at.ts';
import { lockWatches } from '#domain/metering/alerts/lock-watches.ts';
import { UsageWatch } from '#domain/model/metering/usage-watch.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { executeBillingRun } from './execute-billing-run.ts';

/**
 * Bills the usage of a running period that has reached the amount for it, in steps that are committed one by one: the
 * invoice, then its charge.
 */
export async function billAtAmount(session: Session, subscriptionId: string): Promise<void> {
  const runId = await command(afresh(session), (session) => begin(session, subscriptionId));
  if (runId) await executeBillingRun(session, runId);
}

async function begin(session: Session, id: string): Promise<string | null> {
  const { session: atLock, subscription, customer } = await lockSubscription(session, id);
  const { em, now } = atLock;
  await lockWatches(atLock, [id]);
  const watch = await em.findOne(UsageWatch, { subscription: id }, { refresh: true });
  if (!watch?.billDueAt || watch.billDueAt > now) return null;
  // The end of the period bills its usage.
  if (subscription.transitionDueAt && subscription.transitionDueAt <= now) return null;
  watch.billDueAt = null;
  await em.flush();
  const [row] = await unbilledRows(atLock, [id]);
  const period = await currentPeriod(atLock, subscription);
  if (!row || !period) return null;
  const pays = subscription.sendsInvoices || (await paymentMethodFor(atLock, subscription));
  if (subscription.isFreePlan && !pays) return null;
  const parts = { subscription, customer, period };
  const invoice = await billRunningUsage(atLock, parts, Number(row.billAt));
  await em.flush();
  // Recording what is owed has compared the unbilled usage once more.
  await em.nativeUpdate(UsageWatch, { subscription: id }, { billDueAt: null });
  if (!invoice) return null;
  const run = scheduleRun(atLock, subscription, period, { at: now }, 'threshold');
  run.status = 'started';
  run.invoice = ref(invoice);
  await em.flush();
  return run.id;
}
