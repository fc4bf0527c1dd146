import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { lockSubscriptionsOf } from '#domain/rules/locks/lock-subscription.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { tokenHashOf } from './add-method.ts';
import { executeDueRunsOf } from './execute-billing-run.ts';
import { lockPaymentMethod } from './make-default.ts';
import type { Applied, NoticedObject } from './notice.ts';

/**
 * Reads a payment method at the processor. Changed data, such as a new expiry, are stored, and a method that was refused
 * is charged again at once. A method that was detached there is detached here.
 */
export async function applyMethod(
  session: Session,
  { reference, ...name }: NoticedObject,
): Promise<Applied> {
  const present = afresh(session);
  const hash = { tokenHash: tokenHashOf(reference), processor: name.processor };
  const known = await present.em.find(PaymentMethod, hash);
  if (known.length === 0) return 'unknown';
  const details = await (await processorOf(present, name)).readMethod(present, reference);
  for (const { id, customerId } of known) {
    await command(afresh(session), async (session) => {
      const { method, session: then } = await lockPaymentMethod(session, id);
      if (method.detachedAt) return;
      if (!details || (details.customerReference === null && name.processor !== 'sandbox')) {
        return detachLocked(then, method);
      }
      const data = { ...details.data };
      if (JSON.stringify(data) === JSON.stringify(method.paymentMethodData)) return;
      method.paymentMethodData = data;
      if (method.refusalKind) await chargeAgain(then, method);
    });
    await executeDueRunsOf(session, customerId);
  }
  return 'applied';
}

/** Charges a payment method again whose data have changed since it was refused. */
export async function chargeAgain(session: Session, method: PaymentMethod) {
  const { em, now } = session;
  method.refusalKind = null;
  method.refusedAt = null;
  for (const subscription of await lockSubscriptionsOf(session, method.customerId)) {
    const retry = { subscription: subscription.id, status: 'scheduled' as const };
    for (const run of await em.find(BillingRun, { ...retry, attemptNumber: { $gt: 1 } })) {
      run.scheduledFor = now;
      run.dueAt = now;
    }
  }
}

/** Detaches a locked payment method permanently; subscriptions that it pays lose it. */
export async function detachLocked({ em, now }: Session, method: PaymentMethod) {
  const { id } = method;
  method.default = false;
  method.detachedAt = now;
  const paying = { $or: [{ defaultPaymentMethod: id }, { backupPaymentMethod: id }] };
  for (const subscription of await em.find(Subscription, paying)) {
    if (subscription.defaultPaymentMethodId === id) subscription.defaultPaymentMethod = null;
    if (subscription.backupPaymentMethodId === id) subscription.backupPaymentMethod = null;
  }
}
