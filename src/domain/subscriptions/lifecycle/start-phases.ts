import { rehearsedRefusal } from '#domain/kernel/rehearse.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  isPlanItem,
  type SubscriptionItem,
} from '#domain/model/subscriptions/subscription-item.ts';
import {
  type PhaseItem,
  SubscriptionPhase,
} from '#domain/model/subscriptions/subscription-phase.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import { makeScheduledAdjustment } from '#domain/subscriptions/adjusting/apply-scheduled-adjustment.ts';
import { newInterval } from '#domain/subscriptions/adjusting/change-interval.ts';
import { followPhases } from '#domain/subscriptions/adjusting/follow-phases.ts';
import { refusalReason } from '#domain/subscriptions/adjusting/refusal-reason.ts';
import { requireAmount } from '#domain/subscriptions/adjusting/require-applicable.ts';
import { resolveItems } from '#domain/subscriptions/adjusting/resolve-items.ts';
import { storeSchedule } from '#domain/subscriptions/adjusting/schedule-adjustment.ts';

/**
 * Starts the phase of a locked subscription that is due at the boundary that it crosses, before the next period opens.
 * Of several due ones the latest starts, and the others are skipped. Items that cannot be applied leave the subscription
 * as it is, and the phase states the reason. Returns whether one was due.
 */
export async function startPhases(session: Session, subscription: Subscription): Promise<boolean> {
  const { em, now } = session;
  const { id } = subscription;
  const due = await em.find(
    SubscriptionPhase,
    { subscription: id, status: 'planned', startsAt: { $lte: now } },
    { orderBy: { startsAt: 'asc' } },
  );
  const phase = due.pop();
  if (!phase) return false;
  for (const earlier of due) earlier.status = 'skipped';
  const { items } = phase;
  const refusal = await rehearsedRefusal(session, async (session) =>
    applyItems(session, await session.em.findOneOrFail(Subscription, id), items),
  );
  if (refusal) {
    phase.fail(refusalReason(refusal));
  } else {
    await applyItems(session, subscription, items);
    phase.start(now);
  }
  await followPhases(session, subscription);
  return true;
}

/** Gives a locked subscription the items of a phase now, at a boundary, as a scheduled adjustment does. */
async function applyItems(
  session: Session,
  subscription: Subscription,
  items: readonly PhaseItem[],
) {
  const { now: at } = session;
  const all = await pricedItemsOf(session, subscription);
  const active = all.filter((item) => item.isActive(at));
  const oldItems = active.filter(isPlanItem);
  const newItems = await resolveItems(session, subscription, active, {
    timing: 'at_end_of_current_billing_period',
    newSubscriptionItems: matched(oldItems, items),
  });
  requireAmount(oldItems, newItems, 'items');
  const interval = newInterval(subscription, oldItems, newItems);
  await storeSchedule(session, subscription, { at, oldItems, newItems, interval });
  await makeScheduledAdjustment(session, subscription);
}

/** Items of a phase continue the present items of the same price. */
export function matched(present: readonly SubscriptionItem[], items: readonly PhaseItem[]) {
  const left = [...present];
  return items.map((item) => {
    const place = left.findIndex(({ priceId }) => priceId === item.priceId);
    const [same] = place < 0 ? [] : left.splice(place, 1);
    return { ...item, ...(same && { id: same.id }) };
  });
}

/** Cancels the planned phases of a locked subscription that ends. */
export async function cancelPhases({ em }: Session, { id }: Subscription) {
  const planned = await em.find(SubscriptionPhase, { subscription: id, status: 'planned' });
  for (const phase of planned) phase.status = 'canceled';
}
