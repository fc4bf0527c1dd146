import { invalid } from '../errors.ts';
import { ProductFeature } from '../product-features/product-feature.ts';
import { holdFeatures } from '../product-features/sync-product-features.ts';
import type { Product } from '../products/product.ts';
import type { Session } from '../session.ts';
import type { SubscriptionItem } from '../subscription-items/subscription-item.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { SubscriptionItemFeature } from './subscription-item-feature.ts';

/**
 * Gives a new item what its product grants at this instant; amounts are for each unit of the item
 * (reference §4.4), apart from the features `held`, which it has already. Of several grants of one resource the newest counts. Errors: BAD_REQUEST for more than
 * can be counted.
 */
export async function grantFeatures(
  session: Session,
  subscription: Subscription,
  item: SubscriptionItem,
  product: Product,
  held: ReadonlySet<string> = new Set(),
): Promise<SubscriptionItemFeature[]> {
  const { em } = session;
  const grants = await heldGrants(session, product);
  const features = new Map<string, SubscriptionItemFeature>();
  for (const grant of grants) {
    const feature = grant.feature.unwrap();
    // A product has no test clock: what it grants no longer has ended, whatever the customer's time is.
    if (grant.expiredAt || !feature.active || held.has(feature.id)) continue;
    const { type, usageMeterId, renewalFrequency, resourceId } = feature;
    const amount = feature.amount == null ? null : feature.amount * item.quantity;
    if (amount != null && !Number.isSafeInteger(amount)) {
      throw invalid('quantity', `makes too much of feature ${feature.id}`);
    }
    const older = features.get(resourceId ?? feature.id);
    if (older) em.remove(older);
    const granted = em.create(SubscriptionItemFeature, {
      subscriptionItem: item,
      feature,
      productFeature: grant,
      type,
      amount,
      usageMeterId,
      renewalFrequency: renewalFrequency ?? null,
      resourceId,
      manuallyCreated: false,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
    });
    features.set(resourceId ?? feature.id, granted);
  }
  return [...features.values()];
}

/** What a product grants, with its features held: whoever ends a grant waits, or has been waited for. */
async function heldGrants(session: Session, { id }: Product): Promise<ProductFeature[]> {
  const { em } = session;
  const found = await em.find(ProductFeature, { product: id });
  if (found.length === 0) return found;
  const held = await holdFeatures(
    session,
    found.map(({ featureId }) => featureId),
  );
  return em.find(
    ProductFeature,
    { product: id, feature: { $in: held.map(({ id }) => id) } },
    { refresh: true, populate: ['feature'], orderBy: { createdAt: 'asc', id: 'asc' } },
  );
}
