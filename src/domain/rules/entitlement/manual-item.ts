import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** The one item of a subscription for features besides those of its products; it is not charged. */
export async function manualItem({ em, now }: Session, subscription: Subscription) {
  const manual = {
    subscription: subscription.id,
    manuallyCreated: true,
    price: null,
    expiredAt: null,
  };
  const item = await em.findOne(SubscriptionItem, manual);
  if (item) return item;
  return em.create(SubscriptionItem, {
    subscription,
    price: null,
    customerId: subscription.customerId,
    name: 'Manual Features',
    addedDate: now,
    unitPrice: 0,
    quantity: 0,
    manuallyCreated: true,
  });
}
