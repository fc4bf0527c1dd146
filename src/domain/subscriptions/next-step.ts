import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/payments/payment.ts';
import { paymentMethodFor } from '#domain/rules/invoicing/payment-method-for.ts';
import type { Subscription } from './subscription.ts';

export const nextSteps = [
  'add_payment_method',
  'replace_payment_method',
  'confirm_payment',
  'await_payment',
] as const;
export type NextStep = (typeof nextSteps)[number];

/** The missing step without which a subscription does not begin, or does not stay; null when none is missing. */
export async function nextStepOf(
  session: Session,
  subscription: Subscription,
): Promise<NextStep | null> {
  const { id, status, isCharged, isTerminal } = subscription;
  if (isTerminal || !isCharged) return null;
  if (!['incomplete', 'past_due', 'unpaid', 'trialing'].includes(status)) return null;
  const pending = await session.em.findOne(Payment, {
    subscriptionId: id,
    status: { $in: [...pendingPaymentStatuses] },
  });
  if (pending) return pending.status === 'requires_action' ? 'confirm_payment' : 'await_payment';
  if (!(await paymentMethodFor(session, subscription))) return 'add_payment_method';
  if (status === 'trialing') return null;
  return status === 'incomplete' ? 'await_payment' : 'replace_payment_method';
}
