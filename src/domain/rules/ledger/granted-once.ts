import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';

/**
 * The order in which features give credits: those of each period first, then those that give once; by slug, the
 * larger amount first where several items have the same feature.
 */
export const inGrantOrder = (a: SubscriptionItemFeature, b: SubscriptionItemFeature): number =>
  Number(a.renewalFrequency === 'once') - Number(b.renewalFrequency === 'once') ||
  compare(slugOf(a), slugOf(b)) ||
  (b.amount ?? 0) - (a.amount ?? 0) ||
  a.position - b.position;

const slugOf = ({ feature }: SubscriptionItemFeature) => feature.unwrap().slug;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The ids of those features that have given their credits once already: by themselves, or as the same feature of an
 * item that has ended since, which each stands for one.
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
