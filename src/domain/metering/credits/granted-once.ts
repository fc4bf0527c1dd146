import type { Session } from '#domain/kernel/session.ts';
import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';

/**
 * The order in which features grant credits: those of each period first, then those that grant once. Within these it
 * is the order of the slugs; where several items have the same feature, the larger amount comes first.
 */
const inGrantOrder = (a: SubscriptionItemFeature, b: SubscriptionItemFeature): number =>
  Number(a.renewalFrequency === 'once') - Number(b.renewalFrequency === 'once') ||
  compare(slugOf(a), slugOf(b)) ||
  (b.amount ?? 0) - (a.amount ?? 0) ||
  a.position - b.position;

const slugOf = ({ feature }: SubscriptionItemFeature) => feature.unwrap().slug;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Credits for a subscription come once, also where several of its items have the feature: by the one that grants first. In
 * grant order.
 */
export function granting(
  features: readonly SubscriptionItemFeature[],
  now: Date,
): SubscriptionItemFeature[] {
  const known = new Set<string>();
  return features.toSorted(inGrantOrder).filter((feature) => {
    const { per, manuallyCreated, featureId } = feature;
    if (per !== 'subscription' || manuallyCreated) return true;
    if (feature.isExpired(now) || known.has(featureId)) return false;
    known.add(featureId);
    return true;
  });
}

/** The one-time credits that a feature has granted. */
export interface GrantedOnce {
  readonly units: Units;
  /** Whether one of them names the feature, which no second one may. */
  readonly isNamed: boolean;
}

/**
 * The one-time credits that features of a subscription have granted already, before an instant if there is one. Those
 * of the same feature of an ended item count, too; each ended one counts for one feature. Only the first credit of a
 * feature names it: the others of its meter count for its features in their order, up to what they grant.
 */
export async function grantedOnce(
  { em }: Pick<Session, 'em'>,
  subscriptionId: string,
  features: readonly SubscriptionItemFeature[],
  until?: Date,
): Promise<ReadonlyMap<string, GrantedOnce>> {
  const all = await em.find(UsageCredit, {
    subscriptionId,
    source: 'feature',
    billingPeriodId: '',
    purchaseId: null,
  });
  const given = until ? all.filter(({ createdAt }) => createdAt < until) : all;
  const names = new Set(all.map(({ sourceId }) => sourceId));
  const [named, others] = [new Map<string, Units>(), new Map<string, Units>()];
  for (const { sourceId, usageMeterId, amount } of given) {
    const [sums, key] = sourceId ? [named, sourceId] : [others, usageMeterId];
    sums.set(key, (sums.get(key) ?? 0n) + unitsOf(amount));
  }
  const known = new Set(features.map(({ id }) => id));
  const gone = await em.find(SubscriptionItemFeature, {
    id: { $in: [...named.keys()].filter((id) => !known.has(id)) },
  });
  const spare = Map.groupBy(gone, ({ featureId }) => featureId);
  const once = features.filter(({ renewalFrequency }) => renewalFrequency === 'once');
  return new Map(
    once.toSorted(inGrantOrder).map(({ id, featureId, usageMeterId, amount }) => {
      const own = named.get(id) ?? named.get(spare.get(featureId)?.pop()?.id ?? '') ?? 0n;
      const rest = others.get(usageMeterId ?? '') ?? 0n;
      const wanted = unitsOf(String(amount ?? 0)) - own;
      const more = wanted <= 0n ? 0n : rest < wanted ? rest : wanted;
      others.set(usageMeterId ?? '', rest - more);
      return [id, { units: own + more, isNamed: names.has(id) }];
    }),
  );
}
