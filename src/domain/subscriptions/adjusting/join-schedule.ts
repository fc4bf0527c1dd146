import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { areInConflict, mergedItems, plannedOf } from './merge-items.ts';
import { withFormerEnds } from './merge-schedule.ts';
import type { ResolvedItem } from './resolve-items.ts';

/**
 * The items of a scheduled adjustment of a locked subscription with further changes of its present items; the changed items
 * alone without one. Errors: BAD_REQUEST where both change the price of an item.
 */
export async function joinedItems(
  session: Session,
  subscription: Subscription,
  present: readonly SubscriptionItem[],
  items: readonly ResolvedItem[],
): Promise<readonly ResolvedItem[]> {
  const { id, scheduledAdjustment, scheduledAdjustmentAt: at } = subscription;
  if (!scheduledAdjustment || !at) return items;
  const before = withFormerEnds(subscription, present.map(plannedOf));
  const { items: planned } = scheduledAdjustment;
  const ends = items.find((item) => !planned.some((one) => one.id === item.id) && isChanged(item));
  if (ends || areInConflict(planned, { before, after: items })) {
    throw invalid('INVALID_STATE', 'id', `${id} has a scheduled adjustment: cancel that first`);
  }
  const joined: ResolvedItem[] = [];
  for (const item of mergedItems(planned, { before, after: items, at })) {
    const own = items.find((one) => one.id !== null && one.id === item.id);
    const price = await session.em.findOneOrFail(Price, item.priceId);
    const given = own?.given ?? { place: 0, field: 'priceId' as const, setsTrial: false };
    joined.push({ ...item, price, addedDate: own?.addedDate ?? at, given });
  }
  return joined;

  function isChanged(item: ResolvedItem) {
    const base = before.find((one) => one.id === item.id);
    return base && (base.quantity !== item.quantity || base.unitPrice !== item.unitPrice);
  }
}
