import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import type { Adjustment } from './adjust-input.ts';
import type { MoveTerms } from './move-terms.ts';

/** A subscription has the new price already, now or by its scheduled adjustment. */
export class AlreadyMoved extends Error {}

/** A subscription has neither of the prices any longer. */
export class NotSubscribed extends Error {}

/**
 * The adjustment that moves a locked subscription from one price to another; its other items and its planned phases
 * stay. Errors: `AlreadyMoved` and `NotSubscribed`.
 */
export async function adjustmentToPrice(
  { session, subscription }: LockedSubscription,
  { from, to, timing, prorate, keepNegotiatedPrices }: MoveTerms,
): Promise<Adjustment> {
  const planned = subscription.scheduledAdjustment?.items ?? [];
  const all = await pricedItemsOf(session, subscription);
  const items = all.filter((item) => item.isActive(session.now) && isPlanItem(item));
  const hasFrom = items.some(({ priceId }) => priceId === from.id);
  const has = [...planned, ...(hasFrom ? [] : items)].some(({ priceId }) => priceId === to.id);
  if (has) throw new AlreadyMoved(`${subscription.id} has ${to.id}`);
  if (!hasFrom) throw new NotSubscribed(`${subscription.id} has no item of ${from.id}`);
  return {
    timing,
    prorateCurrentBillingPeriod: prorate,
    keepsPhases: true,
    keepsSchedule: true,
    newSubscriptionItems: items.map(({ id, priceId, unitPrice, pricing }) => {
      if (priceId !== from.id) return { id };
      const isNegotiated = keepNegotiatedPrices && unitPrice !== from.unitPrice;
      const discount = keepNegotiatedPrices ? pricing?.discount : undefined;
      return {
        ...{ id, priceId: to.id },
        ...(isNegotiated && { unitPrice }),
        ...(discount !== undefined && { discountPercentage: discount }),
      };
    }),
  };
}
