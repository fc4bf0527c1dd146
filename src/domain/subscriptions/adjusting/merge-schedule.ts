import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import type { PlannedItem } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { mostItems, type ResolvedTiming } from './adjust-input.ts';
import { newInterval } from './change-interval.ts';
import { forgetSchedule } from './drop-scheduled-adjustment.ts';
import { areInConflict, areSameItems, mergedItems, plannedOf } from './merge-items.ts';
import { plannedResources } from './planned-capacities.ts';

/** The effects of an adjustment on the one that is scheduled. */
export const scheduleOutcomes = ['kept', 'merged', 'replaced', 'dropped'] as const;

/** The scheduled adjustment after another adjustment, and the items that the boundary then leads to. */
export interface ScheduleOutcome {
  readonly outcome: (typeof scheduleOutcomes)[number];
  readonly items: readonly PlannedItem[] | null;
}

interface Change {
  readonly timing: ResolvedTiming;
  readonly startsPeriod: boolean;
  readonly oldItems: readonly SubscriptionItem[];
  readonly newItems: readonly PlannedItem[];
}

/**
 * The effect of an adjustment on the scheduled one of a locked subscription; null without one. At the end of the period
 * it replaces it. At once it changes the present items, and the scheduled changes still apply on top of them. Errors:
 * BAD_REQUEST for more items than a subscription may have.
 */
export function scheduleOutcome(
  subscription: Subscription,
  { timing, startsPeriod, oldItems, newItems }: Change,
): ScheduleOutcome | null {
  const { scheduledAdjustment, scheduledAdjustmentAt: at } = subscription;
  if (!at) return null;
  if (timing !== 'immediately') return { outcome: 'replaced', items: newItems };
  if (!scheduledAdjustment || startsPeriod) return { outcome: 'dropped', items: null };
  const before = withFormerEnds(subscription, oldItems.map(plannedOf));
  const changed = { before, after: newItems, at };
  if (areInConflict(scheduledAdjustment.items, changed)) return { outcome: 'dropped', items: null };
  const items = mergedItems(scheduledAdjustment.items, changed);
  if (items.length > mostItems) {
    const message = `with those that are scheduled must be at most ${mostItems}, and are ${items.length}`;
    throw invalid('TOO_LONG', 'adjustment.newSubscriptionItems', message);
  }
  if (areSameItems(items, newItems, at)) return { outcome: 'dropped', items: null };
  const isSame = areSameItems(items, scheduledAdjustment.items, at);
  return { outcome: isSame ? 'kept' : 'merged', items };
}

/** Items without the ends that a scheduled adjustment gives them. */
export function withFormerEnds<T extends PlannedItem>(
  { scheduledAdjustment, scheduledAdjustmentAt }: Subscription,
  items: readonly T[],
): T[] {
  const { ending = [] } = scheduledAdjustment ?? {};
  return items.map((item) => {
    const end = ending.find(({ id }) => id === item.id);
    const isPlanned = end && item.expiredAt === scheduledAdjustmentAt?.getTime();
    return isPlanned ? { ...item, expiredAt: end.expiredAt } : item;
  });
}

/**
 * Has the scheduled adjustment of a locked subscription follow the items that have just been changed. `before` are the
 * former items, without its ends.
 */
export async function mergeSchedule(
  session: Session,
  subscription: Subscription,
  { before, items }: { before: readonly PlannedItem[]; items: readonly SubscriptionItem[] },
) {
  const { scheduledAdjustment, scheduledAdjustmentAt: at } = subscription;
  if (!scheduledAdjustment || !at) return;
  const after = withFormerEnds(subscription, items.map(plannedOf));
  const changed = { before, after, at };
  const merged = mergedItems(scheduledAdjustment.items, changed);
  if (areInConflict(scheduledAdjustment.items, changed) || areSameItems(merged, after, at)) {
    // Items that have ended now do not get their former ends back.
    const ending = scheduledAdjustment.ending.filter(({ id }) =>
      after.some((one) => one.id === id),
    );
    subscription.scheduledAdjustment = { ...scheduledAdjustment, ending };
    await forgetSchedule(session, subscription);
    return;
  }
  const kept = new Set(merged.map(({ id }) => id));
  const ended = items.filter(({ id }) => !kept.has(id));
  const ends = new Map(after.map((item) => [item.id, item.expiredAt]));
  for (const item of ended) item.expire(at);
  subscription.scheduledAdjustment = {
    ...scheduledAdjustment,
    items: merged,
    ending: ended.map(({ id }) => ({ id, expiredAt: ends.get(id) ?? null })),
    interval: newInterval(subscription, items, await priced(session, merged, items, at)),
    granted: await plannedResources(session, subscription, merged),
  };
}

/** Planned items with their prices and starts. */
async function priced(
  { em }: Session,
  planned: readonly PlannedItem[],
  items: readonly SubscriptionItem[],
  at: Date,
) {
  const found = [];
  for (const item of planned) {
    const price = await em.findOneOrFail(Price, item.priceId);
    const { addedDate = at } = items.find(({ id }) => id === item.id) ?? {};
    found.push({ ...item, price, addedDate });
  }
  return found;
}
