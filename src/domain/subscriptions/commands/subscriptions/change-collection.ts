import { ref } from '@mikro-orm/core';
import { checkDaysUntilDue } from '#domain/invoicing/billing/collection-input.ts';
import { termsOf } from '#domain/invoicing/billing/collection-terms.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantFirstCredits } from '#domain/metering/credits/grant-first-credits.ts';
import type { CollectionMethod } from '#domain/model/platform/collection-methods.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { beginPeriods } from '#domain/money/methods/pay-with.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { chargeCurrent } from '#domain/subscriptions/lifecycle/charge-owed.ts';
import { replaceFreePlan } from '#domain/subscriptions/lifecycle/replace-free-plan.ts';

interface Changes {
  readonly collectionMethod?: CollectionMethod | null | undefined;
  readonly daysUntilDue?: number | null | undefined;
}

/**
 * Changes how the next invoices of a locked subscription are collected; open invoices keep their method. One that is
 * charged from now on gets its customer's default payment method. One that is not any more begins without a payment
 * method, and its current period is invoiced if that was never done. Errors: BAD_REQUEST.
 */
export async function changeCollection(
  { session, customer, subscription }: LockedSubscription,
  { collectionMethod, daysUntilDue }: Changes,
) {
  if (collectionMethod == null && daysUntilDue == null) return;
  const method = collectionMethod ?? subscription.collectionMethod;
  checkDaysUntilDue('subscription.daysUntilDue', {
    collectionMethod: method,
    daysUntilDue: daysUntilDue ?? null,
  });
  if (method === 'send_invoice' && subscription.doNotCharge) {
    const message = 'must not be send_invoice: the subscription is never charged';
    throw invalid('NOT_ALLOWED', 'subscription.collectionMethod', message);
  }
  const isChanged = method !== subscription.collectionMethod;
  const days = daysUntilDue ?? subscription.daysUntilDue ?? null;
  const terms = termsOf({ collectionMethod: method, daysUntilDue: days }, customer);
  subscription.collectionMethod = terms.collectionMethod;
  subscription.daysUntilDue = terms.daysUntilDue;
  if (!isChanged) return;
  if (subscription.sendsInvoices) await startSending(session, subscription);
  else await startCharging(session, subscription);
}

async function startSending(session: Session, subscription: Subscription) {
  const { em } = session;
  const { status, isCharged, renews } = subscription;
  if (!isCharged || !renews) return;
  if (status === 'incomplete' && subscription.currentBillingPeriodEnd === null) {
    await replaceFreePlan(session, subscription);
    subscription.status = 'active';
    const period = await beginPeriods(session, subscription);
    await em.flush();
    await grantFirstCredits(session, subscription, period);
  } else if (status === 'past_due') {
    await chargeCurrent(session, subscription);
  }
}

async function startCharging({ em }: Session, subscription: Subscription) {
  if (subscription.defaultPaymentMethod || !subscription.isCharged) return;
  const usual = { customer: subscription.customerId, default: true, detachedAt: null };
  subscription.defaultPaymentMethod = ref(await em.findOne(PaymentMethod, usual));
}
