import type { Session } from '#domain/kernel/session.ts';
import type { Purchase } from '#domain/model/money/purchase.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';

/** The one item of a subscription for features besides those of its products; it is not charged. */
export async function manualItem(session: Session, subscription: Subscription) {
  const manual = {
    subscription: subscription.id,
    manuallyCreated: true,
    price: null,
    purchaseId: null,
    expiredAt: null,
  };
  const item = await session.em.findOne(SubscriptionItem, manual);
  return item ?? freeItem(session, subscription, { name: 'Manual Features' });
}

/** A new item for the features of a product that is bought once; it is not charged. */
export const purchaseItem = (
  session: Session,
  subscription: Subscription,
  { id: purchaseId, name, quantity }: Purchase,
) => freeItem(session, subscription, { name, quantity, purchaseId });

const freeItem = (
  { em, now }: Session,
  subscription: Subscription,
  fields: Pick<SubscriptionItem, 'name'> &
    Partial<Pick<SubscriptionItem, 'quantity' | 'purchaseId'>>,
) =>
  em.create(SubscriptionItem, {
    subscription,
    price: null,
    customerId: subscription.customerId,
    // It grants from the last change of the subscription: none of its presents is earlier.
    addedDate: subscription.updatedAt < now ? subscription.updatedAt : now,
    unitPrice: 0,
    quantity: 0,
    manuallyCreated: true,
    ...fields,
  });
