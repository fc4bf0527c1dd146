import { Price } from '../prices/price.ts';
import { ProductFeature } from '../product-features/product-feature.ts';
import type { Session } from '../session.ts';
import { SubscriptionItemFeature } from '../subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '../subscription-items/subscription-item.ts';
import { scaledAmount } from './change-items.ts';
import { isPlanItem, type PlannedItem } from './planned-item.ts';
import type { Subscription } from './subscription.ts';

/** A feature that a planned item will have. */
interface Granted {
  readonly featureId: string;
  readonly resourceId: string | null;
  readonly amount: number;
}

/**
 * How much of each resource, by its id, a held subscription will have with these items beside what was added by
 * hand (reference §5.2, rule 14): what goes on keeps its features, in proportion to how many there are, and what
 * begins brings those of its product.
 */
export async function plannedCapacities(
  session: Session,
  subscription: Subscription,
  items: readonly PlannedItem[],
): Promise<Map<string, number>> {
  const { em, now } = session;
  const of = { subscriptionId: subscription.id };
  const features = await em.find(SubscriptionItemFeature, of, { populate: ['feature'] });
  const all = await em.find(
    SubscriptionItem,
    { subscription: subscription.id },
    { populate: ['price'] },
  );
  const byId = new Map(all.map((item) => [item.id, item]));
  const planned: Granted[] = [];
  for (const item of items) {
    const held = item.id === null ? undefined : byId.get(item.id);
    const own = features.filter((feature) => feature.subscriptionItemId === held?.id);
    planned.push(...(await grantedBy(session, item, held, own)));
  }
  const brought = new Set(planned.map(({ featureId }) => featureId));
  const byHand = all.filter((item) => item.isActive(now) && !isPlanItem(item));
  const others = features.filter(
    (feature) =>
      byHand.some(({ id }) => id === feature.subscriptionItemId) &&
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

async function grantedBy(
  session: Session,
  item: PlannedItem,
  held: SubscriptionItem | undefined,
  own: readonly SubscriptionItemFeature[],
): Promise<Granted[]> {
  const { em, now } = session;
  const price = await em.findOneOrFail(Price, item.priceId);
  const before = held && (await held.price?.loadOrFail());
  const unexpired = own.filter((feature) => !feature.isExpired(now));
  if (held && before?.productId === price.productId) {
    return unexpired.map((feature) => ({
      featureId: feature.featureId,
      resourceId: feature.resourceId ?? null,
      amount: scaledAmount(feature, item.quantity, held.quantity) ?? 0,
    }));
  }
  const kept = unexpired.filter(({ manuallyCreated }) => manuallyCreated);
  const byHand = new Set(kept.map(({ featureId }) => featureId));
  const grants = await em.find(
    ProductFeature,
    { product: price.productId ?? '', expiredAt: null },
    { populate: ['feature'], orderBy: { createdAt: 'asc', id: 'asc' } },
  );
  const newest = new Map<string, Granted>();
  for (const { feature } of grants) {
    const { id: featureId, active, resourceId = null, amount } = feature.unwrap();
    if (!active || byHand.has(featureId)) continue;
    const units = (amount ?? 0) * item.quantity;
    newest.set(resourceId ?? featureId, { featureId, resourceId, amount: units });
  }
  return [
    ...newest.values(),
    ...kept.map(({ featureId, resourceId, amount }) => ({
      featureId,
      resourceId: resourceId ?? null,
      amount: amount ?? 0,
    })),
  ];
}
