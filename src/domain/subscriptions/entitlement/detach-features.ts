import type { Session } from '#domain/kernel/session.ts';
import type { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';

/** How many rows one flush writes: the ORM compares all that it knows at once, and serves no other request. */
const batchSize = 500;

/**
 * Detaches the features of existing subscriptions from grants that their product has ended, in batches within the
 * transaction. The subscriptions keep them until their item ends.
 */
export async function detachFeatures(
  session: Session,
  grants: readonly Pick<ProductFeature, 'id'>[],
) {
  if (grants.length === 0) return;
  const granted = { productFeature: { $in: grants.map(({ id }) => id) } };
  for (let size = batchSize; size === batchSize; ) {
    const em = session.em.fork({ keepTransactionContext: true });
    const options = { orderBy: { id: 'asc' }, limit: batchSize } as const;
    const features = await em.find(SubscriptionItemFeature, granted, options);
    for (const feature of features) feature.detach(session.now);
    await em.flush();
    size = features.length;
  }
}
