import { BillingRun, openRunStatuses } from '#domain/billing-runs/billing-run.ts';
import { rehearsedRefusal } from '#domain/kernel/rehearse.ts';
import type { Session } from '#domain/kernel/session.ts';
import { applyAdjustment } from '#domain/rules/adjusting/apply-adjustment.ts';
import { followPhases, plannedPhases } from '#domain/rules/adjusting/follow-phases.ts';
import { type AdjustmentPlan, planAdjustment } from '#domain/rules/adjusting/plan-adjustment.ts';
import { refusalReason } from '#domain/rules/adjusting/refusal-reason.ts';
import { plain } from '#domain/rules/adjusting/schedule-adjustment.ts';
import type { LockedSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { currentPeriod } from '#domain/rules/reads/current-period.ts';
import { pricedItemsOf } from '#domain/rules/reads/items-of.ts';
import { isPlanItem } from '#domain/subscription-items/subscription-item.ts';
import type { PhaseItem } from '#domain/subscription-phases/subscription-phase.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
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
  if (scheduledAdjustmentAt || ['incomplete', 'cancellation_scheduled', 'paused'].includes(status))
    return false;
  const period = await currentPeriod(session, subscription);
  if (!period || session.now < period.startDate || session.now >= period.endDate) return false;
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
    newSubscriptionItems: matched(present, items),
  });
}

/** Gives a locked subscription the items of a plan now; the rest of the period is charged or credited. */
async function apply(locked: LockedSubscription, plan: AdjustmentPlan) {
  const money = await sharePhase(locked, plan);
  const items = plan.newItems.map(plain);
  await applyAdjustment(locked.session, locked.subscription, { ...plan, ...money, items });
}
