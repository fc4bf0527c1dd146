import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import type { GrantedResource, PlannedItem } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem, SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { scaledAmount } from './change-items.ts';

/**
 * The capacity of each resource, by its id, that a locked subscription will have with these items, without features
 * that were added by hand. An adjustment must leave at least the claimed and reserved amount.
 */
export async function plannedCapacities(
  session: Session,
  subscription: Subscription,
  items: readonly PlannedItem[],
): Promise<Map<string, number>> {
  const { em, now } = session;
  const [planned, all, features] = await Promise.all([
    plannedResources(session, subscription, items),
    em.find(SubscriptionItem, { subscription: subscription.id }),
    em.find(SubscriptionItemFeature, { subscriptionId: subscription.id }),
  ]);
  const brought = new Set(planned.map(({ featureId }) => featureId));
  const byHand = new Set(
    all.filter((item) => item.isActive(now) && !isPlanItem(item)).map(({ id }) => id),
  );
  const others = features.filter(
    (feature) =>
      byHand.has(feature.subscriptionItemId) &&
      !feature.isExpired(now) &&
      !brought.has(feature.featureId),
  );
  const capacities = new Map<string, number>();
  for (const { resourceId, amount } of [...planned, ...others]) {
    if (resourceId)
      capacities.set(resourceId, (capacities.get(resourceId) ?? 0) + Number(amount ?? 0));
  }
  return capacities;
}

/**
 * The capacities that the planned items of a locked subscription will grant. Continuing items keep their features, in
 * proportion to their quantity; new items bring those of their product.
 */
export async function plannedResources(
  session: Session,
  subscription: Subscription,
  items: readonly PlannedItem[],
): Promise<GrantedResource[]> {
  const { em } = session;
  const of = { subscriptionId: subscription.id };
  const [features, all] = await Promise.all([
    em.find(SubscriptionItemFeature, of, { populate: ['feature'] }),
    em.find(SubscriptionItem, { subscription: subscription.id }, { populate: ['price'] }),
  ]);
  const byId = new Map(all.map((item) => [item.id, item]));
  const planned: GrantedResource[] = [];
  for (const item of items) {
    const existing = item.id === null ? undefined : byId.get(item.id);
    const own = features.filter((feature) => feature.subscriptionItemId === existing?.id);
    planned.push(...(await grantedBy(session, item, existing, own)));
  }
  return planned;
}

async function grantedBy(
  session: Session,
  item: PlannedItem,
  existing: SubscriptionItem | undefined,
  own: readonly SubscriptionItemFeature[],
): Promise<GrantedResource[]> {
  const { em, now } = session;
  const price = await em.findOneOrFail(Price, item.priceId);
  const before = existing && (await existing.price?.loadOrFail());
  const unexpired = own.filter((feature) => !feature.isExpired(now));
  if (existing && before?.productId === price.productId) {
    return unexpired.flatMap((feature) =>
      grantOf(item, feature, scaledAmount(feature, item.quantity, existing.quantity)),
    );
  }
  const kept = unexpired.filter(({ manuallyCreated }) => manuallyCreated);
  const byHand = new Set(kept.map(({ featureId }) => featureId));
  const grants = await em.find(
    ProductFeature,
    { product: price.productId ?? '', expiredAt: null },
    { populate: ['feature'], orderBy: oldestFirst },
  );
  const newest = new Map<string, GrantedResource>();
  for (const { feature } of grants) {
    const { id: featureId, active, resourceId, amount } = feature.unwrap();
    if (!active || byHand.has(featureId)) continue;
    const [granted] = grantOf(item, { featureId, resourceId }, (amount ?? 0) * item.quantity);
    if (granted) newest.set(granted.resourceId, granted);
  }
  return [...newest.values(), ...kept.flatMap((feature) => grantOf(item, feature, feature.amount))];
}

/** A grant ends with its item or its feature, whichever ends first. */
function grantOf(
  item: PlannedItem,
  feature: Pick<SubscriptionItemFeature, 'featureId'> & {
    readonly resourceId?: string | null | undefined;
    readonly expiredAt?: Date | null | undefined;
  },
  amount: number | null | undefined,
): GrantedResource[] {
  const { featureId, resourceId, expiredAt } = feature;
  if (!resourceId) return [];
  const ends = [item.expiredAt, expiredAt?.getTime()].filter((end) => end != null);
  const until = ends.length > 0 ? Math.min(...ends) : null;
  return [{ featureId, resourceId, amount: amount ?? 0, until }];
}
