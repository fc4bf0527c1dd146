import type { Session } from '#domain/kernel/session.ts';
import type { Price } from '#domain/prices/price.ts';
import type { Product } from '#domain/products/product.ts';
import { derivedName } from '#domain/rules/catalog/derived-name.ts';
import { grantFeatures } from '#domain/rules/entitlement/grant-features.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

interface ItemTerms {
  readonly price: Price;
  readonly product: Product;
  readonly quantity?: number | null | undefined;
  readonly doNotCharge?: boolean | null | undefined;
}

/** Adds the item of the price to a new subscription, and grants the features of its product. */
export async function addFirstItem(session: Session, subscription: Subscription, terms: ItemTerms) {
  const { price, product, quantity, doNotCharge } = terms;
  const name = price.name ?? product.name;
  const count = quantity ?? 1;
  const item = session.em.create(SubscriptionItem, {
    subscription,
    price,
    customerId: subscription.customerId,
    name: count > 1 ? derivedName(name, ` x ${count}`) : name,
    addedDate: subscription.startDate,
    unitPrice: doNotCharge ? 0 : price.unitPrice,
    quantity: count,
  });
  await grantFeatures(session, subscription, item, product);
  return item;
}
