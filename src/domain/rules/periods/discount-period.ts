import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { DiscountRedemption } from '#domain/discount-redemptions/discount-redemption.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ChargedItem } from '#domain/prices/cost.ts';
import type { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { planTotal } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** The redemption that reduces the next payment of a locked subscription; null without one. */
export async function nextDiscount(
  { em }: Session,
  { id: subscription }: Pick<Subscription, 'id'>,
): Promise<DiscountRedemption | null> {
  const redemption = await em.findOne(DiscountRedemption, { subscription });
  return redemption?.isUsedUp ? null : redemption;
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
  const redemption = await nextDiscount(session, subscription);
  if (redemption) useDiscount(redemption, period);
}

/** Counts a payment of a redemption, and keeps its terms with the period, if it has none. */
export function useDiscount(redemption: DiscountRedemption, period?: BillingPeriod) {
  redemption.paymentCount += 1;
  if (period) period.discount = redemption.terms;
}
