import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { openPeriod } from '../billing-periods/open-period.ts';
import { BillingRun } from '../billing-runs/billing-run.ts';
import { scheduleFirstRun, scheduleRun } from '../billing-runs/schedule-run.ts';
import { Invoice } from '../invoices/invoice.ts';
import type { PaymentMethod } from '../payment-methods/payment-method.ts';
import type { Session } from '../session.ts';
import { SubscriptionItem } from '../subscription-items/subscription-item.ts';
import { lockSubscriptionsOf } from './lock-subscription.ts';
import type { Subscription } from './subscription.ts';

/**
 * Lets a held customer's subscriptions be paid with a payment method: those that are tried again later are
 * tried now, those that owe their current period and had nobody to pay are charged for it, and those that
 * waited for a payment method to begin at all begin now.
 */
export async function payWith(session: Session, method: PaymentMethod) {
  for (const subscription of await lockSubscriptionsOf(session, method.customerId)) {
    if (subscription.isTerminal || !subscription.isCharged || !subscription.renews) continue;
    subscription.defaultPaymentMethod = method as never;
    const open = { subscription: subscription.id, status: 'scheduled' as const };
    const [retry] = await session.em.find(BillingRun, open, { orderBy: { createdAt: 'asc' } });
    if (retry) {
      if (retry.attemptNumber > 1) bringForward(retry, session.now);
    } else if (subscription.currentBillingPeriodEnd === null) {
      await begin(session, subscription);
    } else if (['past_due', 'unpaid'].includes(subscription.status)) {
      await chargeCurrentPeriod(session, subscription);
    }
  }
  await session.em.flush();
}

function bringForward(run: BillingRun, now: Date) {
  run.scheduledFor = now;
  run.dueAt = now;
}

/** The first period starts when there is who pays for it. */
async function begin(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const start = subscription.startDate > now ? subscription.startDate : now;
  subscription.billingCycleAnchorDate = start;
  const items = await em.find(SubscriptionItem, { subscription: subscription.id });
  const period = openPeriod(session, subscription, items, start);
  scheduleFirstRun(session, subscription, period);
}

async function chargeCurrentPeriod(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const current = {
    subscription: subscription.id,
    startDate: subscription.currentBillingPeriodStart as Date,
  };
  const period = await em.findOne(BillingPeriod, current);
  if (!period || period.trialPeriod) return;
  const invoice = await em.findOne(Invoice, { billingPeriod: period.id, isAdjustment: false });
  if (invoice && invoice.status !== 'open') return;
  const earlier = await em.find(BillingRun, { billingPeriod: period.id });
  if (earlier.some(({ isOpen }) => isOpen)) return;
  const attemptNumber = Math.max(0, ...earlier.map(({ attemptNumber }) => attemptNumber)) + 1;
  scheduleRun(session, subscription, period, { at: now, attemptNumber });
}
