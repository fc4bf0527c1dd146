import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';

/**
 * The order in which features grant credits: those of each period first, then those that grant once. Within these it
 * is the order of the slugs; where several items have the same feature, the larger amount comes first.
 */
export const inGrantOrder = (a: SubscriptionItemFeature, b: SubscriptionItemFeature): number =>
  Number(a.renewalFrequency === 'once') - Number(b.renewalFrequency === 'once') ||
  compare(slugOf(a), slugOf(b)) ||
  (b.amount ?? 0) - (a.amount ?? 0) ||
  a.position - b.position;

const slugOf = ({ feature }: SubscriptionItemFeature) => feature.unwrap().slug;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The ids of the features that have granted their one-time credits already. A feature counts also when the same
 * feature of an ended item granted them; each ended one counts for one feature.
 */
export async function grantedOnce(
  { em }: Pick<Session, 'em'>,
  subscriptionId: string,
  features: readonly SubscriptionItemFeature[],
  until?: Date,
): Promise<Set<string>> {
  const given = await em.find(UsageCredit, {
    subscriptionId,
    source: 'feature',
    billingPeriodId: '',
    sourceId: { $ne: null },
    ...(until && { createdAt: { $lt: until } }),
  });
  const ids = new Set(given.flatMap(({ sourceId }) => sourceId ?? []));
  const known = new Set(features.map(({ id }) => id));
  const gone = await em.find(SubscriptionItemFeature, {
    id: { $in: [...ids].filter((id) => !known.has(id)) },
  });
  const spare = Map.groupBy(gone, ({ featureId }) => featureId);
  return new Set(
    features
      .toSorted(inGrantOrder)
      .filter(({ id, featureId }) => ids.has(id) || spare.get(featureId)?.pop())
      .map(({ id }) => id),
  );
}
