import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/**
 * The features that subscriptions grant at this instant: those that have not expired, of items that have begun and
 * not ended.
 */
export async function featureItemsOf(
  { em, now }: Session,
  subscriptions: readonly Subscription[],
): Promise<SubscriptionItemFeature[]> {
  if (subscriptions.length === 0) return [];
  const features = await em.find(
    SubscriptionItemFeature,
    { subscriptionId: { $in: subscriptions.map(({ id }) => id) } },
    { populate: ['subscriptionItem', 'feature'], orderBy: oldestFirst },
  );
  return features.filter(
    (feature) => !feature.isExpired(now) && feature.subscriptionItem.unwrap().isActive(now),
  );
}
