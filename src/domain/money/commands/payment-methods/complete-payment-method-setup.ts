import { z } from 'zod';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { completeSetup } from '#domain/money/collection/complete-setup.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';

export const completePaymentMethodSetupInput = z.object({ id: z.string() });

/** Adds the payment method of a completed page; an open page is returned as it is. Errors: NOT_FOUND. */
export async function completePaymentMethodSetup(
  session: Session,
  { id }: z.output<typeof completePaymentMethodSetupInput>,
): Promise<PaymentMethodSetup> {
  await completeSetup(session, id);
  return afresh(session).em.findOneOrFail(PaymentMethodSetup, id);
}
