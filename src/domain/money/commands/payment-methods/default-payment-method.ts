import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { executeDueRunsOf } from '#domain/money/collection/execute-billing-run.ts';
import { lockPaymentMethod, makeDefault } from '#domain/money/methods/make-default.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';

export const setDefaultPaymentMethodInput = z.object({ id: z.string() });

/** Makes a payment method the default of its customer. Errors: NOT_FOUND; BAD_REQUEST when it is detached. */
export async function setDefaultPaymentMethod(
  session: Session,
  { id }: z.output<typeof setDefaultPaymentMethodInput>,
): Promise<PaymentMethod> {
  const { done: customerId } = await firstStep(session, async (session) => {
    const { method, ...locked } = await lockPaymentMethod(session, id);
    if (method.detachedAt)
      throw invalid('ARCHIVED', 'id', `${id} is detached and cannot be used any longer`);
    await makeDefault(locked.session, method);
    return method.customerId;
  });
  await executeDueRunsOf(session, customerId);
  return afresh(session).em.findOneOrFail(PaymentMethod, id);
}
