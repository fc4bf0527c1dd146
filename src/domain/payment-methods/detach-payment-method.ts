import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { lockPaymentMethod } from './default-payment-method.ts';
import type { PaymentMethod } from './payment-method.ts';

export const detachPaymentMethodInput = z.object({ id: z.string() });

/**
 * Detaches a payment method permanently; subscriptions that it pays lose it. A detached one is returned as it is.
 * Errors: NOT_FOUND.
 */
export function detachPaymentMethod(
  session: Session,
  { id }: z.output<typeof detachPaymentMethodInput>,
): Promise<PaymentMethod> {
  return command(session, async (session) => {
    const { method, ...locked } = await lockPaymentMethod(session, id);
    if (method.detachedAt) return method;
    const { em, now } = locked.session;
    method.default = false;
    method.detachedAt = now;
    const paying = { $or: [{ defaultPaymentMethod: id }, { backupPaymentMethod: id }] };
    for (const subscription of await em.find(Subscription, paying)) {
      if (subscription.defaultPaymentMethodId === id) subscription.defaultPaymentMethod = null;
      if (subscription.backupPaymentMethodId === id) subscription.backupPaymentMethod = null;
    }
    return method;
  });
}
