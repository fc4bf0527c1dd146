import { DomainError } from '../errors.ts';
import { requireRoomForClaims } from '../resource-claims/temporary-claims.ts';
import type { Session } from '../session.ts';
import { SubscriptionItem } from '../subscription-items/subscription-item.ts';
import { tellOfAdjustment, told } from './adjustment-news.ts';
import { dropScheduledAdjustment } from './cancel-scheduled-adjustment.ts';
import { changeInterval } from './change-interval.ts';
import { endItem, updateItem, yieldToPlan } from './change-items.ts';
import { plannedCapacities } from './planned-capacities.ts';
import type { PlannedItem } from './planned-item.ts';
import type { Subscription } from './subscription.ts';

/**
 * Makes what was scheduled for the boundary that a held subscription is crossing, before its next period is
 * opened: items have ended and begun by themselves, and what belongs to them follows (reference §4.11). Where
 * claims that have been made since leave no room for it, all stays as it was, and the feed tells why.
 */
export async function executeScheduledAdjustment(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const { scheduledAdjustment, scheduledAdjustmentAt } = subscription;
  if (!scheduledAdjustmentAt || scheduledAdjustmentAt > now) return;
  const refusal = scheduledAdjustment && (await refusalOf(session, subscription));
  if (refusal) {
    await dropScheduledAdjustment(session, subscription, refusal);
    return;
  }
  subscription.scheduledAdjustmentAt = null;
  subscription.scheduledAdjustment = null;
  if (!scheduledAdjustment) return;
  const { items, interval, ending, beginning } = scheduledAdjustment;
  const all = await em.find(
    SubscriptionItem,
    { subscription: subscription.id },
    { populate: ['price'], orderBy: { addedDate: 'asc', id: 'asc' } },
  );
  const byId = new Map(all.map((item) => [item.id, item]));
  const found = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const ended = found(ending.map(({ id }) => id));
  const begun = found(beginning);
  const kept = items.flatMap(({ id }) => (id === null ? [] : id));
  const oldItems = [...ended, ...found(kept)].map(told);
  for (const item of ended) await endItem(session, item, now);
  for (const item of found(kept)) {
    const planned = items.find(({ id }) => id === item.id) as PlannedItem;
    await updateItem(session, subscription, item, planned, now);
  }
  const newItems = [...found(kept), ...begun];
  await em.flush();
  await yieldToPlan(session, subscription, newItems, now);
  if (interval) changeInterval(subscription, interval, now);
  tellOfAdjustment(subscription, { verb: 'adjusted', oldItems, newItems: newItems.map(told) });
}

/** Why what was scheduled cannot be made any more; undefined when it can. */
async function refusalOf(session: Session, subscription: Subscription) {
  const { items = [], beginning = [] } = subscription.scheduledAdjustment ?? {};
  // What begins is there already, with what its product granted when it was scheduled.
  const begun = beginning.values();
  const planned = items.map((item) => ({ ...item, id: item.id ?? begun.next().value ?? null }));
  try {
    const capacities = await plannedCapacities(session, subscription, planned);
    await requireRoomForClaims(session, subscription.id, capacities);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'CONFLICT') return error.message;
    throw error;
  }
}
