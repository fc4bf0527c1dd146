import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { itemTermsOf, withAmount } from '#domain/model/catalog/cost.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { grantFeatures } from '#domain/subscriptions/entitlement/grant-features.ts';
import type { FirstItem, Terms } from './subscription-terms.ts';

/**
 * Adds the items of a new subscription, and grants the features of their products. Errors: BAD_REQUEST for a quantity
 * with which a feature amounts to more than can be counted.
 */
export async function addFirstItems(session: Session, subscription: Subscription, terms: Terms) {
  const items: SubscriptionItem[] = [];
  for (const [place, item] of (terms.items ?? [onlyItem(terms)]).entries()) {
    try {
      items.push(await addFirstItem(session, subscription, item, terms));
    } catch (error) {
      const [issue] = error instanceof DomainError ? error.issues : [];
      if (!terms.items || issue?.path.join() !== 'quantity') throw error;
      throw invalid(issue.code, `items.${place}.quantity`, issue.message);
    }
  }
  return items;
}

/** The item of a subscription that names a price alone. */
function onlyItem({ price, product, quantity }: Terms): FirstItem {
  return {
    price,
    product,
    name: price.name ?? product.name,
    ...itemTermsOf(price),
    quantity: quantity ?? 1,
  };
}

async function addFirstItem(
  session: Session,
  subscription: Subscription,
  { product, field: _, ...item }: FirstItem,
  { doNotCharge }: Terms,
): Promise<SubscriptionItem> {
  const terms = doNotCharge ? { ...item, unitPrice: 0, pricing: null } : item;
  const created = session.em.create(SubscriptionItem, {
    ...withAmount(terms),
    subscription,
    customerId: subscription.customerId,
    addedDate: subscription.startDate,
  });
  await grantFeatures(session, subscription, created, product);
  return created;
}
