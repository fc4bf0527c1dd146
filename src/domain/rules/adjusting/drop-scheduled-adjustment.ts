import type { Session } from '#domain/kernel/session.ts';
import { itemsOf } from '#domain/rules/reads/items-of.ts';
import { isPlanItem } from '#domain/subscription-items/subscription-item.ts';
import { emittedItem } from '#domain/subscriptions/adjustment-event.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { endItem } from './change-items.ts';
import { followItemTrials } from './follow-item-trials.ts';

/**
 * Cancels the scheduled adjustment of a locked subscription and emits the reason. Returns how many items do not
 * begin.
 */
export async function dropScheduledAdjustment(
  session: Session,
  subscription: Subscription,
  reason: string | null,
): Promise<number> {
  const { now } = session;
  const { items = [], ending = [], beginning = [] } = subscription.scheduledAdjustment ?? {};
  subscription.scheduledAdjustmentAt = null;
  subscription.scheduledAdjustment = null;
  const all = await itemsOf(session, subscription);
  const newItems = all.filter(({ id }) => beginning.includes(id));
  for (const item of newItems) await endItem(session, item, now);
  for (const { id, expiredAt } of ending) {
    const item = all.find((item) => item.id === id);
    if (item) item.expiredAt = expiredAt === null ? null : new Date(expiredAt);
  }
  await followItemTrials(session, subscription);
  const oldItems = all.filter((item) => item.isActive(now) && isPlanItem(item)).map(emittedItem);
  subscription.emitAdjustment({
    verb: 'adjustment_canceled',
    oldItems,
    // As when it was scheduled: the items that were to continue and those that were to begin.
    newItems: [...items.filter(({ id }) => id !== null), ...newItems].map(emittedItem),
    reason,
  });
  return newItems.length;
}
