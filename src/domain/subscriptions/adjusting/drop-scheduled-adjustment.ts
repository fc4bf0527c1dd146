import type { Session } from '#domain/kernel/session.ts';
import { emittedItem } from '#domain/model/subscriptions/adjustment-event.ts';
import type { PlannedItem } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  isPlanItem,
  type SubscriptionItem,
} from '#domain/model/subscriptions/subscription-item.ts';
import { itemsOf } from '#domain/platform/reads/items-of.ts';
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
  const { all, items, newItems } = await forgetSchedule(session, subscription);
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

/** All items of a subscription, and those of its schedule: as it was planned, and that would have begun. */
interface ForgottenSchedule {
  readonly all: readonly SubscriptionItem[];
  readonly items: readonly PlannedItem[];
  readonly newItems: readonly SubscriptionItem[];
}

/**
 * The same as a part of another change, whose event shows it: `scheduledAdjustmentAt` becomes null or another date. A
 * transaction has one event for a subscription.
 */
export async function forgetSchedule(
  session: Session,
  subscription: Subscription,
): Promise<ForgottenSchedule> {
  const { now } = session;
  if (!subscription.scheduledAdjustmentAt) return { all: [], items: [], newItems: [] };
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
  return { all, items, newItems };
}
