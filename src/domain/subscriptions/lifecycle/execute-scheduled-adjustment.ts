import { rehearsedRefusal } from '#domain/kernel/rehearse.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { makeScheduledAdjustment } from '#domain/subscriptions/adjusting/apply-scheduled-adjustment.ts';
import { dropScheduledAdjustment } from '#domain/subscriptions/adjusting/drop-scheduled-adjustment.ts';
import { refusalReason } from '#domain/subscriptions/adjusting/refusal-reason.ts';

/**
 * Applies the adjustment that is scheduled for the boundary that a locked subscription crosses, before the next
 * period opens. If it is refused, for example for claims made since, the subscription continues unchanged and an
 * event states the reason.
 */
export async function executeScheduledAdjustment(session: Session, subscription: Subscription) {
  const { scheduledAdjustment, scheduledAdjustmentAt, id } = subscription;
  if (!scheduledAdjustmentAt || scheduledAdjustmentAt > session.now) return;
  const refusal =
    scheduledAdjustment &&
    (await rehearsedRefusal(session, async (session) =>
      makeScheduledAdjustment(session, await session.em.findOneOrFail(Subscription, id)),
    ));
  if (refusal) await dropScheduledAdjustment(session, subscription, refusalReason(refusal));
  else await makeScheduledAdjustment(session, subscription);
}
