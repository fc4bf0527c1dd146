import type { Session } from '#domain/kernel/session.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

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
