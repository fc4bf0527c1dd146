import { oldestFirst } from '#domain/kernel/columns.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Feature } from '#domain/model/catalog/feature.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { lockFeatures } from './sync-product-features.ts';

/**
 * Grants a new item the features of its product at this instant; amounts are for each unit of the item, or for the subscription. Errors:
 * BAD_REQUEST for more than can be counted.
 */
export async function grantFeatures(
  session: Session,
  subscription: Subscription,
  item: SubscriptionItem,
  product: Product,
): Promise<SubscriptionItemFeature[]> {
  const grants = await grantsThatCount(session, product);
  return grants.map((grant) => grantFeature(session, subscription, item, grant));
}

/** Grants an item one of the features of its product. Errors: BAD_REQUEST for more than can be counted. */
export function grantFeature(
  { em }: Session,
  subscription: Subscription,
  item: SubscriptionItem,
  grant: ProductFeature,
): SubscriptionItemFeature {
  const feature = grant.feature.unwrap();
  const { type, usageMeterId, renewalFrequency, resourceId, per } = feature;
  return em.create(SubscriptionItemFeature, {
    subscriptionItem: item,
    feature,
    productFeature: grant,
    type,
    amount: amountFor(feature, item.quantity),
    usageMeterId,
    renewalFrequency: renewalFrequency ?? null,
    per: per ?? null,
    resourceId,
    manuallyCreated: false,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
  });
}

/**
 * The amount that a feature grants for a quantity of an item, or whatever that is. Errors: BAD_REQUEST for more than can
 * be counted.
 */
export function amountFor(
  { id, amount = null, per = null }: Pick<Feature, 'id' | 'amount' | 'per'>,
  quantity: number,
): number | null {
  if (amount === null || per === 'subscription') return amount;
  return countable(amount * quantity, id);
}

/** An amount that is exact as a number. Errors: BAD_REQUEST for one that is too large. */
export function countable(amount: number, featureId: string): number {
  if (Number.isSafeInteger(amount)) return amount;
  throw invalid('OUT_OF_RANGE', 'quantity', `exceeds the maximum amount of feature ${featureId}`);
}

/**
 * The features that a product grants at this instant to a subscription that has the features `apart` from elsewhere.
 * Locks them. Of several grants of one resource the newest counts. A product has no test clock: a grant that it has
 * ended has ended, whatever the customer's time is.
 */
export async function grantsThatCount(
  session: Session,
  product: Product,
  apart: ReadonlySet<string> = new Set(),
): Promise<ProductFeature[]> {
  const newest = new Map<string, ProductFeature>();
  for (const grant of await heldGrants(session, product)) {
    const { id, active, resourceId } = grant.feature.unwrap();
    if (grant.expiredAt || !active || apart.has(id)) continue;
    newest.set(resourceId ?? id, grant);
  }
  return [...newest.values()];
}

/**
 * Locks the features of a product and reads its grants. A command that ends a grant waits, or has ended it already.
 */
async function heldGrants(session: Session, { id }: Product): Promise<ProductFeature[]> {
  const { em } = session;
  const found = await em.find(ProductFeature, { product: id });
  if (found.length === 0) return found;
  const locked = await lockFeatures(
    session,
    found.map(({ featureId }) => featureId),
  );
  // The lock has loaded the features.
  return em.find(
    ProductFeature,
    { product: id, feature: { $in: locked.map(({ id }) => id) } },
    { refresh: true, orderBy: oldestFirst },
  );
}
