import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { completeSetup } from '#domain/money/collection/complete-setup.ts';
import { executeDueRunsOf } from '#domain/money/collection/execute-billing-run.ts';
import { completeCheckout, completePurchase } from '#domain/money/outcomes/settle-checkout.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { withCheckout } from './lock-checkout.ts';
import { payCheckout } from './pay-checkout.ts';

/** Executes the charges of a checkout session that has begun, and applies their outcome. */
export async function executeCheckout(session: Session, id: string, paymentId: string | null) {
  if (paymentId) await chargePayment(session, { paymentId, resumed: false });
  const { customerId } = await afresh(session).em.findOneOrFail(CheckoutSession, id);
  if (customerId) await executeDueRunsOf(session, customerId);
  await concludeCheckout(session, id);
}

/**
 * Continues a checkout session after the customer has returned from a page of the processor, or without a return. The
 * return proves nothing, so the page itself is read.
 */
export async function continueCheckout(session: Session, id: string): Promise<void> {
  const found = await afresh(session).em.findOneOrFail(CheckoutSession, id);
  if (found.status === 'pending') {
    await confirmPayments(session, found);
    return concludeCheckout(session, id);
  }
  if (found.status !== 'open' || !found.setupId) return;
  await completeSetup(session, found.setupId);
  const begun = await beginAfterSetup(session, id).catch((error: unknown) =>
    refuseCheckout(session, id, error),
  );
  if (begun) await executeCheckout(session, id, begun.paymentId);
}

/** Begins a session with the payment method of its completed page; undefined where there is none. */
const beginAfterSetup = (session: Session, id: string) =>
  withCheckout(session, id, async ({ session, customer, checkout, present }) => {
    const setup = await checkout.setup?.loadOrFail();
    if (!customer || !checkout.isOpenAt(present) || !setup) return undefined;
    const { paymentMethodId, status } = await session.em.refreshOrFail(setup);
    if (status !== 'completed' || !paymentMethodId) {
      // The customer may open another page.
      if (status === 'expired') checkout.setup = null;
      return undefined;
    }
    const method = await session.em.findOneOrFail(PaymentMethod, paymentMethodId);
    if (method.detachedAt) return undefined;
    return { paymentId: await payCheckout(session, { customer, checkout, method }) };
  });

/**
 * Keeps the reason why a session cannot begin, for its page. The customer may try again, and nothing repeats the refusal
 * until then. Errors: all that are no refusal, and a payment in progress, which is over soon.
 */
async function refuseCheckout(session: Session, id: string, error: unknown): Promise<undefined> {
  const isRefusal = error instanceof DomainError && refusals.includes(error.code);
  if (!isRefusal || error.issues[0]?.code === 'IN_PROGRESS') throw error;
  await withCheckout(session, id, async ({ checkout, present }) => {
    if (!checkout.isOpenAt(present)) return;
    checkout.problem = error.issues[0]?.message ?? error.message;
    checkout.setup = null;
  });
  return undefined;
}

const refusals: readonly string[] = ['BAD_REQUEST', 'CONFLICT'];

/** Reads the payments that the customer has been asked to confirm. */
async function confirmPayments(session: Session, checkout: CheckoutSession) {
  const { purchaseId, subscriptionId } = checkout;
  const of = purchaseId && !subscriptionId ? { purchaseId } : { subscriptionId };
  const asked = { ...of, status: 'requires_action' as const };
  for (const { id } of await afresh(session).em.find(Payment, asked))
    await chargePayment(session, { paymentId: id, resumed: true });
}

/**
 * Applies the state of the subscription to a pending checkout session. One that is current needs no further payment.
 * One that still owes, and whose payment has failed, can be paid again.
 */
function concludeCheckout(session: Session, id: string): Promise<void> {
  return withCheckout(session, id, async ({ session, checkout }) => {
    const { subscriptionId } = checkout;
    if (checkout.status !== 'pending' || !subscriptionId) return;
    const { em } = session;
    const subscription = await em.findOneOrFail(Subscription, subscriptionId);
    const pending = { subscriptionId, status: { $in: [...pendingPaymentStatuses] } };
    if ((await em.count(Payment, pending)) > 0) return;
    if (['active', 'trialing', 'cancellation_scheduled'].includes(subscription.status)) {
      const purchase = await checkout.purchase?.loadOrFail();
      if (purchase) await completePurchase(session, purchase);
      return completeCheckout(session, checkout);
    }
    const tried = {
      subscriptionId,
      method: checkout.paymentMethodId ?? '',
      status: 'failed' as const,
    };
    const [failed] = await em.find(Payment, tried, { orderBy: { chargeDate: 'desc' }, limit: 1 });
    if (!failed) return;
    checkout.status = 'open';
    checkout.problem = failed.failureMessage ?? 'The payment was refused';
  });
}
