import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { presentAfterChange } from '#domain/platform/reads/read-customer.ts';

/**
 * The features that subscriptions grant at this instant: those that have not expired, of items that have begun and
 * not ended.
 */
export async function featureItemsOf(
  session: Session,
  subscriptions: readonly Subscription[],
): Promise<SubscriptionItemFeature[]> {
  const { now } = session;
  const features = await Promise.all(
    subscriptions.map(async (subscription) => {
      const at = presentAfterChange(subscription, now);
      const all = await allOf(session, subscription.id);
      return all.filter(
        (feature) => !feature.isExpired(at) && feature.subscriptionItem.unwrap().isActive(at),
      );
    }),
  );
  return features.flat().sort(byCreation);
}

/** All features of a subscription. One statement reads those of several subscriptions. */
async function allOf(session: Session, subscriptionId: string) {
  const found = await batched(session, featureItemsOf, subscriptionId, async ({ em }, ids) =>
    Map.groupBy(
      await em.find(
        SubscriptionItemFeature,
        { subscriptionId: { $in: [...ids] } },
        { populate: ['subscriptionItem', 'feature'] },
      ),
      ({ subscriptionId }) => subscriptionId,
    ),
  );
  return found ?? [];
}

const byCreation = (a: SubscriptionItemFeature, b: SubscriptionItemFeature) =>
  a.createdAt.getTime() - b.createdAt.getTime() ||
  a.position - b.position ||
  (a.id < b.id ? -1 : 1);
