import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { detachLocked } from '#domain/money/methods/detach-locked.ts';
import { makeDefault } from '#domain/money/methods/make-default.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { grantPurchase } from '#domain/subscriptions/lifecycle/grant-purchases.ts';
import {
  restorePurchase,
  revokePurchase,
} from '#domain/subscriptions/lifecycle/revoke-purchase.ts';
import { completeTopUp } from './follow-top-up.ts';

interface Subject {
  readonly invoice: Invoice;
  readonly subscription: Subscription | null;
}

const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/**
 * Follows the full payment of an invoice: its purchase is paid, and the checkout session that led to it has succeeded.
 * The customer is locked.
 */
export async function succeedCheckout(session: Session, subject: Subject) {
  const { em } = session;
  const checkout = await checkoutOf(session, subject);
  const purchaseId = subject.invoice.purchaseId ?? checkout?.purchaseId;
  const purchase = purchaseId ? await em.findOneOrFail(Purchase, purchaseId, lock) : null;
  if (purchase) await completePurchase(session, purchase);
  if (checkout) await completeCheckout(session, checkout);
}

/** Marks a purchase as paid, and grants what it grants once. The customer is locked. */
export async function completePurchase(session: Session, purchase: Purchase) {
  if (purchase.purchaseDate) return;
  purchase.status = 'paid';
  purchase.purchaseDate = session.now;
  await session.em.flush();
  if (purchase.priceType !== 'single_payment') return;
  const all = await lockSubscriptionsOf(session, purchase.customer.id);
  const toppedUp = await completeTopUp(session, purchase.id);
  const own = all.find(({ id, current }) => id === toppedUp && current);
  const current = own ?? all.findLast(({ current }) => current);
  if (current) await grantPurchase(session, current, purchase);
}

/**
 * Marks a checkout session as succeeded. Its payment method becomes the default with the subscription that it has
 * started, or where the customer has none. Not earlier: a default is charged for all that waits for one.
 */
export async function completeCheckout(session: Session, checkout: CheckoutSession) {
  checkout.status = 'succeeded';
  checkout.problem = null;
  await session.em.flush();
  const { em } = session;
  const { paymentMethodId, subscriptionId, customerId: customer } = checkout;
  const method = await em.findOne(PaymentMethod, paymentMethodId ?? '');
  if (!method || method.detachedAt || method.default) return;
  const known = { customer, default: true, detachedAt: null };
  if (subscriptionId || (await em.count(PaymentMethod, known)) === 0)
    await makeDefault(session, method);
}

/**
 * Follows a payment that has failed: the customer can try again with another payment method while the session is open.
 * The refused one is detached. A session whose subscription has ended with the failure, and was not made by it, fails.
 */
export async function reopenCheckout(
  session: Session,
  subject: Subject,
  { failureMessage, paymentMethodId }: Pick<Payment, 'failureMessage' | 'paymentMethodId'>,
) {
  const { em } = session;
  const checkout = await checkoutOf(session, subject);
  if (checkout?.status !== 'pending') return;
  const { subscription } = subject;
  if (subscription && !subscription.isTerminal) return;
  const isGone = checkout.type === 'activate_subscription';
  checkout.status = isGone ? 'failed' : 'open';
  checkout.problem = failureMessage ?? 'The payment was refused';
  if (subscription && !isGone) checkout.subscription = null;
  const method = await em.findOne(PaymentMethod, paymentMethodId ?? '');
  if (!method || method.id !== checkout.paymentMethodId || method.detachedAt) return;
  checkout.paymentMethodId = null;
  checkout.setup = null;
  await detachLocked(session, method);
  if (method.processor !== 'sandbox') method.detachDueAt = session.now;
}

/** The checkout session that led to an invoice, and is not decided. */
async function checkoutOf({ em }: Session, { invoice, subscription }: Subject) {
  const { purchaseId } = invoice;
  if (!purchaseId && !subscription) return null;
  const of = purchaseId ? { purchase: purchaseId } : { subscription: subscription?.id ?? '' };
  const status = { $in: ['open', 'pending'] as const };
  return em.findOne(CheckoutSession, { ...of, status }, lock);
}

/** How much of the amount that was paid for an invoice stays paid. */
export type Kept = 'all' | 'part' | 'nothing';

/**
 * Follows a refund of an amount that was paid for a purchase, its loss in a dispute, or the failure of a refund. A
 * purchase of which nothing stays paid loses what it has granted; otherwise only its status changes. The customer is
 * locked.
 */
export async function followReturnedPurchase(
  session: Session,
  { purchaseId }: Invoice,
  kept: Kept,
) {
  if (!purchaseId) return;
  const purchase = await session.em.findOneOrFail(Purchase, purchaseId, lock);
  if (!purchase.purchaseDate) return;
  if (kept === 'nothing') {
    purchase.status = 'refunded';
    return revokePurchase(session, purchase);
  }
  purchase.status = kept === 'part' ? 'partial_refund' : 'paid';
  await restorePurchase(session, purchase);
}
