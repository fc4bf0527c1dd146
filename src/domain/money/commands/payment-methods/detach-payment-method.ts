import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { detachLocked } from '#domain/money/methods/detach-locked.ts';
import { lockPaymentMethod } from '#domain/money/methods/make-default.ts';

export const detachPaymentMethodInput = z.object({ id: z.string() });

/**
 * Detaches a payment method permanently; subscriptions that it pays lose it. A job detaches it at the processor, too,
 * since no transaction waits for a network. A detached one is returned as it is. Errors: NOT_FOUND; for a customer also
 * BAD_REQUEST while a subscription that renews has no other one.
 */
export function detachPaymentMethod(
  session: Session,
  { id }: z.output<typeof detachPaymentMethodInput>,
): Promise<PaymentMethod> {
  return command(session, async (session) => {
    const { method, ...locked } = await lockPaymentMethod(session, id);
    if (method.detachedAt) return method;
    if (session.customerId !== undefined) await requireOther(locked.session, method);
    await detachLocked(locked.session, method);
    if (method.processor !== 'sandbox') method.detachDueAt = locked.session.now;
    return method;
  });
}

/** A customer cannot leave a subscription that renews without a payment method: nothing would charge it any more. */
async function requireOther({ em }: Session, { id }: PaymentMethod) {
  const paying = { $or: [{ defaultPaymentMethod: id }, { backupPaymentMethod: id }] };
  for (const subscription of await em.find(Subscription, paying)) {
    const { isTerminal, isCharged, sendsInvoices, cancelScheduledAt } = subscription;
    if (isTerminal || !isCharged || sendsInvoices || cancelScheduledAt) continue;
    const both = [subscription.defaultPaymentMethodId, subscription.backupPaymentMethodId];
    if (both.some((other) => other && other !== id)) continue;
    const message = `is the only payment method of ${subscription.id}: make another one the default first, or cancel the subscription`;
    throw invalid('PAYMENT_METHOD_REQUIRED', 'id', message);
  }
}
