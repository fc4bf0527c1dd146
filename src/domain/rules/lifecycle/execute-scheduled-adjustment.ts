import { rehearsedRefusal } from '#domain/kernel/rehearse.ts';
import type { Session } from '#domain/kernel/session.ts';
import { makeScheduledAdjustment } from '#domain/rules/adjusting/apply-scheduled-adjustment.ts';
import { dropScheduledAdjustment } from '#domain/rules/adjusting/drop-scheduled-adjustment.ts';
import { refusalReason } from '#domain/rules/adjusting/refusal-reason.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';

/**
 * Makes what was scheduled for the boundary that a held subscription is crossing, before its next period is
 * opened (reference §4.11). Where that is refused, such as for claims that have been made since, all stays as it
 * was, and the feed tells why: what cannot be changed goes on.
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
