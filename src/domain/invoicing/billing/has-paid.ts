import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/** Whether a subscription was ever paid: by any invoice, or elsewhere before its import. */
export async function hasPaid(
  { em }: Session,
  { id, paidUntil }: Pick<Subscription, 'id' | 'paidUntil'>,
) {
  if (paidUntil) return true;
  const status = { $in: ['succeeded', 'refunded'] as const };
  return (await em.count(Payment, { subscriptionId: id, status })) > 0;
}
