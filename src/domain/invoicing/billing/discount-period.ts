import type { Session } from '#domain/kernel/session.ts';
import type { ChargedItem } from '#domain/model/catalog/cost.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';

/**
 * The redemption that reduces the payment of a billing period of a locked subscription, by the start of that period; for
 * a payment without a period by the present. Null without one.
 */
export async function nextDiscount(
  { em, now }: Session,
  { id: subscription }: Pick<Subscription, 'id'>,
  start: Date = now,
): Promise<DiscountRedemption | null> {
  const redemption = await em.findOne(DiscountRedemption, { subscription, removedAt: null });
  return redemption?.reduces(start) ? redemption : null;
}

/**
 * Gives a period that has just been opened the discount on its payment, and counts that payment. A trial, a period that
 * is paid elsewhere, and one without charges use up no payment: the discount waits for the next one.
 */
export async function discountPeriod(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
  items: readonly (ChargedItem & Pick<SubscriptionItem, 'manuallyCreated'>)[],
): Promise<void> {
  if (period.trialPeriod || period.paidElsewhere || subscription.doNotCharge) return;
  if (planTotal(items.filter(({ manuallyCreated }) => !manuallyCreated)) === 0) return;
  const redemption = await nextDiscount(session, subscription, period.startDate);
  if (redemption) useDiscount(redemption, period);
}

/** Counts a payment of a redemption, and keeps its terms with the period, if it has none. */
export function useDiscount(redemption: DiscountRedemption, period?: BillingPeriod) {
  redemption.paymentCount += 1;
  if (period) period.discount = redemption.terms;
}
