import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { latestInstant } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ChargedItem } from '#domain/model/catalog/cost.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { listedTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { amountFor } from '#domain/subscriptions/entitlement/grant-features.ts';
import { mostExpensiveItem } from '#domain/subscriptions/entitlement/most-expensive-item.ts';
import { nextBoundary } from '#domain/subscriptions/periods/next-boundary.ts';
import { pastLastYear } from './change-interval.ts';
import { scaledAmount } from './change-items.ts';
import { itemPath } from './match-items.ts';
import type { ResolvedItem } from './resolve-items.ts';

/** Checks that all grants of items can be counted. Errors: BAD_REQUEST with the quantity that makes too much. */
export async function requireCountable(
  session: Session,
  oldItems: readonly SubscriptionItem[],
  newItems: readonly ResolvedItem[],
) {
  const features = await session.em.find(SubscriptionItemFeature, {
    subscriptionItem: { $in: oldItems.map(({ id }) => id) },
  });
  for (const item of newItems) {
    const existing = oldItems.find(({ id }) => id === item.id);
    const own = features.filter((feature) => feature.subscriptionItemId === existing?.id);
    try {
      await countAll(session, item, existing, own);
    } catch (error) {
      if (!(error instanceof DomainError) || !error.issues[0]) throw error;
      const { code, message } = error.issues[0];
      throw invalid(code, itemPath(item.given.place, 'quantity'), message);
    }
  }
}

/** An item that keeps its product scales its features; any other has those of its product. */
async function countAll(
  session: Session,
  { price, quantity }: ResolvedItem,
  existing: SubscriptionItem | undefined,
  own: readonly SubscriptionItemFeature[],
) {
  if (existing && existing.price?.unwrap().productId === price.productId) {
    for (const feature of own) scaledAmount(feature, quantity, existing.quantity);
    return;
  }
  const sold = { product: price.productId ?? '', expiredAt: null };
  const grants = await session.em.find(ProductFeature, sold, { populate: ['feature'] });
  for (const { feature } of grants) {
    if (feature.unwrap().active) amountFor(feature.unwrap(), quantity);
  }
}

/** Checks that no item ends before the adjustment. Errors: BAD_REQUEST for an end that comes before `at`. */
export function requireLaterEnds(
  oldItems: readonly SubscriptionItem[],
  newItems: readonly ResolvedItem[],
  at: Date,
) {
  for (const { id, expiredAt, given } of newItems) {
    if (expiredAt === null || expiredAt > at.getTime()) continue;
    // An existing end stays as it is.
    const existing = oldItems.find((item) => item.id === id);
    if (existing?.expiredAt?.getTime() === expiredAt) continue;
    throw invalid(
      'OUT_OF_RANGE',
      itemPath(given.place, 'expiredAt'),
      `must be after ${at.toISOString()}`,
    );
  }
}

/** Checks that the trials that a request gives items end after it. Errors: BAD_REQUEST for an end that comes before. */
export function requireLaterTrials(newItems: readonly ResolvedItem[], at: Date) {
  for (const { pricing, given } of newItems) {
    const { trialEnd } = pricing ?? {};
    if (!given.setsTrial || trialEnd === undefined || trialEnd > at.getTime()) continue;
    const why = `must be after ${at.toISOString()}, when the item is in the plan`;
    throw invalid('OUT_OF_RANGE', itemPath(given.place, 'trialEnd'), why);
  }
}

/** Checks that the first period by a new interval ends. Errors: BAD_REQUEST past the year 9999. */
export function requireEndOfPeriod(
  newItems: readonly ResolvedItem[],
  interval: Interval | null,
  start: Date,
) {
  if (!interval || nextBoundary(start, interval, start).getTime() <= latestInstant) return;
  const { place = 0, field = 'priceId' } = mostExpensiveItem(newItems)?.given ?? {};
  throw invalid(
    'OUT_OF_RANGE',
    itemPath(place, field),
    `${pastLastYear}: use a price with a shorter interval`,
  );
}

/** Refuses items whose amount no invoice has room for, next to the present ones. Errors: BAD_REQUEST. */
export function requireAmount(
  present: readonly ChargedItem[],
  planned: readonly ChargedItem[],
  field: string,
) {
  // Tax may add at most the same amount again.
  if (Number.isSafeInteger(2 * (listedTotal(present) + listedTotal(planned)))) return;
  throw invalid('OUT_OF_RANGE', field, 'amount to more than the largest possible amount');
}
