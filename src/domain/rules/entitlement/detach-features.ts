import type { Session } from '#domain/kernel/session.ts';
import type { ProductFeature } from '#domain/product-features/product-feature.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';

/**
 * Detaches the features of existing subscriptions from grants that their product has ended. The subscriptions keep
 * them until their item ends.
 */
export async function detachFeatures(
  { em, now }: Session,
  grants: readonly Pick<ProductFeature, 'id'>[],
) {
  if (grants.length === 0) return;
  const ids = grants.map(({ id }) => id);
  const granted = await em.find(
    SubscriptionItemFeature,
    { productFeature: { $in: ids } },
    { orderBy: { id: 'asc' } },
  );
  for (const feature of granted) feature.detach(now);
}
