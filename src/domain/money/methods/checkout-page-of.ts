import type { Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { checkoutUrl } from '#domain/platform/reads/checkout-link.ts';

/** The page of the checkout session that a payment belongs to, by default of a pending one; null for other payments. */
export async function checkoutPageOf(
  session: Session,
  { purchaseId, subscriptionId }: Pick<Payment, 'purchaseId' | 'subscriptionId'>,
  statuses: readonly ('pending' | 'succeeded')[] = ['pending'],
): Promise<string | null> {
  if (!purchaseId && !subscriptionId) return null;
  const of = purchaseId ? { purchase: purchaseId } : { subscription: subscriptionId ?? '' };
  const checkout = await session.em.findOne(CheckoutSession, {
    ...of,
    status: { $in: [...statuses] },
  });
  return checkout && checkoutUrl(session, checkout.id);
}
