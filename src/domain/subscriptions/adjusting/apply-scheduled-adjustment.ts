import { requireRoomForClaims } from '#domain/capacity/temporary-claims.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { emittedItem } from '#domain/model/subscriptions/adjustment-event.ts';
import type { PlannedItem, ScheduledAdjustment } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import { endOfPeriod } from '#domain/subscriptions/periods/open-period.ts';
import { changeInterval, pastLastYear } from './change-interval.ts';
import { endItem, updateItem, yieldToPlan } from './change-items.ts';
import { followItemTrials } from './follow-item-trials.ts';
import { plannedCapacities } from './planned-capacities.ts';

/**
 * Applies a scheduled adjustment at its boundary. Its items have ended and begun by their dates; the rest follows
 * here. Errors: CONFLICT for more claims than there would be room for; BAD_REQUEST for an adjustment that has become
 * impossible.
 */
export async function makeScheduledAdjustment(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const { scheduledAdjustment } = subscription;
  if (scheduledAdjustment) await requireRoom(session, subscription, scheduledAdjustment);
  subscription.scheduledAdjustmentAt = null;
  subscription.scheduledAdjustment = null;
  if (!scheduledAdjustment) return;
  const { items, interval, ending, beginning } = scheduledAdjustment;
  const all = await pricedItemsOf(session, subscription);
  const byId = new Map(all.map((item) => [item.id, item]));
  const found = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const ended = found(ending.map(({ id }) => id));
  const begun = found(beginning);
  const kept = items.flatMap(({ id }) => (id === null ? [] : id));
  const oldItems = [...ended, ...found(kept)].map(emittedItem);
  for (const item of ended) await endItem(session, item, now);
  for (const item of found(kept)) {
    const planned = items.find(({ id }) => id === item.id) as PlannedItem;
    await updateItem(session, subscription, item, planned, now);
  }
  const newItems = [...found(kept), ...begun];
  await em.flush();
  await yieldToPlan(session, subscription, newItems, now);
  await followItemTrials(session, subscription);
  if (interval) changeInterval(subscription, interval, now);
  if (!endOfPeriod(subscription, now)) throw invalid('OUT_OF_RANGE', 'adjustment', pastLastYear);
  subscription.emitAdjustment({ verb: 'adjusted', oldItems, newItems: newItems.map(emittedItem) });
}

async function requireRoom(
  session: Session,
  subscription: Subscription,
  { items, beginning }: ScheduledAdjustment,
) {
  // New items exist already, with the features that their product granted when the adjustment was scheduled.
  const begun = beginning.values();
  const planned = items.map((item) => ({ ...item, id: item.id ?? begun.next().value ?? null }));
  const capacities = await plannedCapacities(session, subscription, planned);
  await requireRoomForClaims(session, subscription.id, capacities);
}
