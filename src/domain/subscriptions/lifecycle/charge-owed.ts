import { retryRun, scheduleRun } from '#domain/invoicing/billing/schedule-run.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, regularPurposes } from '#domain/model/money/billing-run.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';

/** The runs that share the attempt numbers of a period. */
const regular = { purpose: { $in: [...regularPurposes] } };

/**
 * Schedules runs now for all that a locked subscription owes without a pending run. These are its open invoices, and
 * its current period if that has never been charged. An invoice that was sent is not charged. Returns whether it owes
 * anything of these.
 */
export async function chargeOwed(session: Session, subscription: Subscription): Promise<boolean> {
  const { em, now } = session;
  const invoices = await em.find(Invoice, owedBy(subscription), { populate: ['billingPeriod'] });
  const owed = invoices.flatMap(({ billingPeriod }) => billingPeriod?.unwrap() ?? []);
  const current = await unchargedPeriod(session, subscription);
  if (current) owed.push(current);
  for (const period of owed.toSorted((a, b) => a.startDate.getTime() - b.startDate.getTime())) {
    const earlier = await em.find(BillingRun, { billingPeriod: period.id, ...regular });
    if (earlier.some(({ isOpen }) => isOpen)) continue;
    const attemptNumber = Math.max(0, ...earlier.map(({ attemptNumber }) => attemptNumber)) + 1;
    scheduleRun(session, subscription, period, { at: now, attemptNumber });
  }
  return (await chargeThresholds(session, subscription)) || owed.length > 0;
}

/** The same for usage that was billed while its period was running: each open invoice has runs of its own. */
async function chargeThresholds(session: Session, subscription: Subscription): Promise<boolean> {
  const { em, now: at } = session;
  const open = { ...owedBy(subscription), purpose: 'threshold' as const };
  const invoices = await em.find(Invoice, open, { populate: ['billingPeriod'] });
  for (const invoice of invoices) {
    const runs = await em.find(BillingRun, { invoice: invoice.id });
    const period = invoice.billingPeriod?.unwrap();
    if (!period || runs.some(({ isOpen }) => isOpen)) continue;
    const attemptNumber = 1 + Math.max(0, ...runs.map((run) => run.attemptNumber));
    retryRun(session, { subscription, period, invoice }, { at, attemptNumber });
  }
  return invoices.length > 0;
}

/** The open invoices that a subscription owes and that are charged. */
export const owedBy = ({ id: subscription }: Pick<Subscription, 'id'>) =>
  ({
    subscription,
    status: 'open',
    purpose: 'period',
    collectionMethod: 'charge_automatically',
  }) as const;

/** The current period of a subscription if it has no invoice and no run that writes one; else null. */
export async function unchargedPeriod(session: Session, subscription: Subscription) {
  const current = await currentPeriod(session, subscription);
  return current && !(await isCharged(session, current)) ? current : null;
}

/** Schedules a run now for the current period of a locked subscription if that has never been charged. */
export async function chargeCurrent(session: Session, subscription: Subscription) {
  const period = await unchargedPeriod(session, subscription);
  if (period)
    scheduleRun(session, subscription, period, {
      at: session.now,
      ...(await nextAttempt(session, period)),
    });
}

/** The number of the next attempt for a period. */
async function nextAttempt({ em }: Session, { id }: BillingPeriod) {
  const runs = await em.find(BillingRun, { billingPeriod: id, ...regular });
  return { attemptNumber: Math.max(0, ...runs.map(({ attemptNumber }) => attemptNumber)) + 1 };
}

/** Whether an invoice for a period exists or will soon; a trial needs none, nor does a
 * period that is paid elsewhere. */
async function isCharged({ em }: Session, period: BillingPeriod): Promise<boolean> {
  const { id, trialPeriod, prepaid, paidElsewhere } = period;
  if (trialPeriod || prepaid || paidElsewhere) return true;
  const runs = await em.find(BillingRun, { billingPeriod: id, ...regular });
  if (runs.some(({ isOpen }) => isOpen)) return true;
  // A paid adjustment includes the rest of its period.
  const counted = {
    $or: [
      { purpose: 'period' as const },
      { status: 'paid' as const, purpose: { $ne: 'threshold' as const } },
    ],
  };
  return (await em.count(Invoice, { billingPeriod: id, ...counted })) > 0;
}
