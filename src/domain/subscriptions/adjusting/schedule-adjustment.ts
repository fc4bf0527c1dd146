import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type EmittedItem, emittedItem } from '#domain/model/subscriptions/adjustment-event.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { addItem } from './change-items.ts';
import { forgetSchedule } from './drop-scheduled-adjustment.ts';
import { followItemTrials } from './follow-item-trials.ts';
import { matchItems } from './match-items.ts';
import type { AdjustmentPlan } from './plan-adjustment.ts';
import { plannedResources } from './planned-capacities.ts';
import { plain } from './resolve-items.ts';

/**
 * Schedules the new items of a locked subscription for the end of its period, in place of those that are scheduled, and
 * emits that. Its name, price and features stay as they are.
 */
export async function scheduleAdjustment(
  session: Session,
  subscription: Subscription,
  plan: BoundaryPlan,
) {
  await forgetSchedule(session, subscription);
  const oldItems = plan.oldItems.map(emittedItem);
  const newItems = await storeSchedule(session, subscription, plan);
  subscription.emitAdjustment({ verb: 'adjustment_scheduled', oldItems, newItems });
  await session.em.flush();
  await followItemTrials(session, subscription);
  await markTemporaryClaims(session, subscription.id);
}

/** The parts of a plan that a boundary applies. */
export type BoundaryPlan = Pick<AdjustmentPlan, 'at' | 'oldItems' | 'newItems' | 'interval'>;

/**
 * Stores a plan for the boundary at `at`: ending items get that end, new ones begin there, and other changes are stored
 * until then. Returns the items after it, as events show them.
 */
export async function storeSchedule(
  session: Session,
  subscription: Subscription,
  { at, oldItems, newItems, interval }: BoundaryPlan,
): Promise<EmittedItem[]> {
  const granted = await plannedResources(session, subscription, newItems);
  const { kept, added, ended } = matchItems(oldItems, newItems);
  const ending = ended.map(({ id, expiredAt }) => ({
    id,
    expiredAt: expiredAt?.getTime() ?? null,
  }));
  for (const item of ended) item.expire(at);
  const begun = [];
  for (const planned of added) begun.push(await addItem(session, subscription, plain(planned), at));
  await session.em.flush();
  subscription.scheduledAdjustmentAt = at;
  subscription.scheduledAdjustment = {
    items: newItems.map(plain),
    interval,
    ending,
    beginning: begun.map(({ id }) => id),
    granted,
  };
  const after = [...kept.map(({ item, planned }) => ({ ...planned, id: item.id })), ...begun];
  return after.map(emittedItem);
}
