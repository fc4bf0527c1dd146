import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { detachLocked } from '#domain/rules/collection/detach-locked.ts';
import { lockPaymentMethod } from '#domain/rules/collection/make-default.ts';
import type { PaymentMethod } from './payment-method.ts';

export const detachPaymentMethodInput = z.object({ id: z.string() });

/**
 * Detaches a payment method permanently; subscriptions that it pays lose it. A job detaches it at the processor, too,
 * since no transaction waits for a network. A detached one is returned as it is. Errors: NOT_FOUND.
 */
export function detachPaymentMethod(
  session: Session,
  { id }: z.output<typeof detachPaymentMethodInput>,
): Promise<PaymentMethod> {
  return command(session, async (session) => {
    const { method, ...locked } = await lockPaymentMethod(session, id);
    if (method.detachedAt) return method;
    await detachLocked(locked.session, method);
    if (method.processor !== 'sandbox') method.detachDueAt = locked.session.now;
    return method;
  });
}
