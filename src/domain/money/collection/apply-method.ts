import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { tokenHashOf } from '#domain/money/methods/add-method.ts';
import { cardExpiry } from '#domain/money/methods/card-expiry.ts';
import { chargeableMethod } from '#domain/money/methods/chargeable-method.ts';
import { detachLocked } from '#domain/money/methods/detach-locked.ts';
import { lockPaymentMethod } from '#domain/money/methods/make-default.ts';
import { paySubscription } from '#domain/money/methods/pay-with.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import type { Applied, NoticedObject } from '#domain/money/refunds/notice.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { executeDueRunsOf } from './execute-billing-run.ts';

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
      const { method, session: atLock } = await lockPaymentMethod(session, id);
      if (method.detachedAt) return;
      if (!details || (details.customerReference === null && name.processor !== 'sandbox')) {
        return detachLocked(atLock, method);
      }
      const data = { ...details.data };
      if (JSON.stringify(data) === JSON.stringify(method.paymentMethodData)) return;
      method.paymentMethodData = data;
      method.expiresOn = cardExpiry(data);
      if (method.refusalKind) await chargeAgain(atLock, method);
    });
    await executeDueRunsOf(session, customerId);
  }
  return 'applied';
}

/**
 * Charges a payment method again whose data have changed since it was refused: retries run now, and amounts owed
 * without a retry are charged.
 */
export async function chargeAgain(session: Session, method: PaymentMethod) {
  method.refusalKind = null;
  method.refusedAt = null;
  await session.em.flush();
  for (const subscription of await lockSubscriptionsOf(session, method.customerId)) {
    const { method: charged } = await chargeableMethod(session, subscription);
    if (charged?.id === method.id) await paySubscription(session, subscription, null);
  }
}
