import { rehearsedRefusal } from '#domain/kernel/rehearse.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import type { PhaseItem } from '#domain/model/subscriptions/subscription-phase.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import { applyAdjustment } from '#domain/subscriptions/adjusting/apply-adjustment.ts';
import { followPhases, plannedPhases } from '#domain/subscriptions/adjusting/follow-phases.ts';
import {
  type AdjustmentPlan,
  planAdjustment,
} from '#domain/subscriptions/adjusting/plan-adjustment.ts';
import { refusalReason } from '#domain/subscriptions/adjusting/refusal-reason.ts';
import { plain } from '#domain/subscriptions/adjusting/resolve-items.ts';
import { sharePhase } from './share-phase.ts';
import { matched } from './start-phases.ts';

/**
 * Starts the phase of a locked subscription that is due at its date within a period. Earlier ones that are still planned
 * are skipped. It waits for the next period where that has another interval, or where another change of the plan is
 * planned or being paid. Items that cannot be applied leave the subscription as it is, and the phase states the reason.
 */
export async function startPhaseWithin(locked: LockedSubscription) {
  const { session, subscription } = locked;
  const due = (await plannedPhases(session, subscription)).filter(
    ({ startsAt }) => startsAt <= session.now,
  );
  const phase = due.pop();
  if (phase?.timing === 'at_date' && (await isFree(session, subscription))) {
    const { items } = phase;
    let waits = false;
    const refusal = await rehearsedRefusal(session, async (session) => {
      const own = await ownOf(session, subscription.id);
      const plan = await planOf(own, items);
      waits = plan.interval !== null;
      if (!waits) await apply(own, plan);
    });
    if (!waits) {
      for (const earlier of due) earlier.status = 'skipped';
      if (refusal) {
        phase.fail(refusalReason(refusal));
      } else {
        await apply(locked, await planOf(locked, items));
        phase.start(session.now);
      }
    }
  }
  await followPhases(session, subscription);
}

/** Whether a period is running, and no other change of the plan is planned or being paid. */
async function isFree(session: Session, subscription: Subscription): Promise<boolean> {
  const { id, status, scheduledAdjustmentAt } = subscription;
  if (scheduledAdjustmentAt || ['incomplete', 'paused'].includes(status)) return false;
  const period = await currentPeriod(session, subscription);
  if (!period || session.now < period.startDate || session.now >= period.endDate) return false;
  // With the end in sight it keeps its items.
  if (subscription.endsBy(period.endDate)) return false;
  const paying = { subscription: id, purpose: 'adjustment' as const };
  const open = { ...paying, status: { $in: [...openRunStatuses] } };
  return (await session.em.count(BillingRun, open)) === 0;
}

/** The locked records as a rehearsal reads them. */
async function ownOf(session: Session, id: string): Promise<LockedSubscription> {
  const subscription = await session.em.findOneOrFail(Subscription, id);
  return { session, subscription, customer: await subscription.customer.loadOrFail() };
}

async function planOf(
  locked: LockedSubscription,
  items: readonly PhaseItem[],
): Promise<AdjustmentPlan> {
  const { session, subscription } = locked;
  const all = await pricedItemsOf(session, subscription);
  const present = all.filter((item) => item.isActive(session.now) && isPlanItem(item));
  return planAdjustment(locked, {
    timing: 'immediately',
    prorateCurrentBillingPeriod: false,
    keepsPhases: true,
    bySeller: true,
    newSubscriptionItems: matched(present, items),
  });
}

/** Gives a locked subscription the items of a plan now; the rest of the period is charged or credited. */
async function apply(locked: LockedSubscription, plan: AdjustmentPlan) {
  const money = await sharePhase(locked, plan);
  const items = plan.newItems.map(plain);
  await applyAdjustment(locked.session, locked.subscription, { ...plan, ...money, items });
}
