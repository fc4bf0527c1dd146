import { rehearse } from '#domain/kernel/rehearse.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { inOrderAdded, SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { atInstant } from '#domain/platform/locks/at-instant.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { applyAdjustment } from './apply-adjustment.ts';
import { makeScheduledAdjustment } from './apply-scheduled-adjustment.ts';
import type { AdjustmentPlan } from './plan-adjustment.ts';
import { plain } from './resolve-items.ts';
import { scheduleAdjustment } from './schedule-adjustment.ts';

/**
 * Applies an adjustment of a locked subscription and rolls it back, before it is charged, scheduled or promised. So
 * an impossible adjustment is never charged, and no boundary meets one that it cannot cross. Errors: those of
 * applying it.
 */
export async function rehearseAdjustment(
  { session, subscription: { id } }: LockedSubscription,
  plan: AdjustmentPlan,
) {
  await rehearse(session, async (session) => {
    const { em } = session;
    const subscription = await em.findOneOrFail(Subscription, id);
    if (plan.timing === 'immediately') {
      const items = plan.newItems.map(plain);
      await applyAdjustment(session, subscription, { ...plan, items });
      return;
    }
    const oldItems = await em.find(
      SubscriptionItem,
      { id: { $in: plan.oldItems.map(({ id }) => id) } },
      { populate: ['price'], orderBy: inOrderAdded },
    );
    await scheduleAdjustment(session, subscription, { ...plan, oldItems });
    await em.flush();
    await makeScheduledAdjustment(atInstant(session, plan.at), subscription);
  });
}
