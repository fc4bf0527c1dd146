import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** Whether any invoice of a subscription was ever paid. */
export async function hasPaid({ em }: Session, { id }: Pick<Subscription, 'id'>) {
  const status = { $in: ['succeeded', 'refunded'] as const };
  return (await em.count(Payment, { subscriptionId: id, status })) > 0;
}
