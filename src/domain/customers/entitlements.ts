import type { Session } from '../session.ts';
import type { SubscriptionItemFeature } from '../subscription-item-features/subscription-item-feature.ts';
import { featureItemsOf } from '../subscriptions/feature-items.ts';
import { currentStatuses, Subscription } from '../subscriptions/subscription.ts';
import type { Customer } from './customer.ts';
import { nowOf } from './read-customer.ts';

/** What a customer has by its current subscriptions, by its own clock. */
export async function entitlementsOf(
  session: Session,
  customer: Customer,
): Promise<SubscriptionItemFeature[]> {
  const subscriptions = await currentSubscriptionsOf(session, customer);
  return featureItemsOf({ ...session, now: await nowOf(session, customer) }, subscriptions);
}

/** Whether a customer may use what a toggle feature with this slug stands for (reference §9.1). */
export async function hasFeature(session: Session, customer: Customer, slug: string) {
  const entitlements = await entitlementsOf(session, customer);
  return entitlements.some(
    ({ type, feature }) => type === 'toggle' && feature.unwrap().slug === slug,
  );
}

/** The subscriptions by which a customer has something, the newest first (reference §9.1). */
export function currentSubscriptionsOf({ em }: Session, { id }: Customer): Promise<Subscription[]> {
  return em.find(
    Subscription,
    { customer: id, status: { $in: [...currentStatuses] } },
    { orderBy: { createdAt: 'desc', updatedAt: 'desc', position: 'desc', id: 'asc' } },
  );
}
