import type { Session } from '#domain/kernel/session.ts';
import { inOrderAdded, SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';

/** The items of a subscription in the order in which they were added, with ended and future ones. */
export const itemsOf = ({ em }: Session, { id }: { readonly id: string }) =>
  em.find(SubscriptionItem, { subscription: id }, { orderBy: inOrderAdded });

/** The same with their prices. */
export const pricedItemsOf = ({ em }: Session, { id }: { readonly id: string }) =>
  em.find(SubscriptionItem, { subscription: id }, { populate: ['price'], orderBy: inOrderAdded });
