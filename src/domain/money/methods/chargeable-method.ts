import { paymentMethodFor } from '#domain/invoicing/billing/payment-method-for.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/**
 * The payment method that is charged automatically for a subscription, or the reason why there is none. A method that
 * the processor has refused for good is not charged again until it changes; the backup takes its place.
 */
export async function chargeableMethod(
  session: Session,
  subscription: Subscription,
): Promise<{ method: PaymentMethod | null; reason: string }> {
  const usual = await paymentMethodFor(session, subscription);
  if (!usual) return { method: null, reason: 'There is no payment method to charge' };
  if (!usual.refusalKind) return { method: usual, reason: '' };
  const backup = await chargeableBackup(session, subscription);
  return { method: backup, reason: 'The payment method was refused: a new one is needed' };
}

/** The backup payment method, unless it was refused for good. */
export async function chargeableBackup(
  { em }: Session,
  { backupPaymentMethodId: id }: Subscription,
): Promise<PaymentMethod | null> {
  if (!id) return null;
  return em.findOne(PaymentMethod, { id, detachedAt: null, refusalKind: null });
}
