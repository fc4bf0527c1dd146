import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { refuseWhileAdjusting } from '#domain/rules/adjusting/require-adjustable.ts';
import { lockCaughtUp } from '#domain/rules/present/lock-present.ts';
import { cancellationTimings } from './cancel-subscription.ts';
import type { Subscription } from './subscription.ts';

export const pauseSubscriptionInput = z.object({
  id: z.string(),
  pause: z.object({ timing: z.enum(cancellationTimings), resumesAt: instantInput.nullish() }),
});

/** The statuses from which a subscription can be paused. */
const pausable: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid'];

/**
 * Pauses a subscription, now or at the end of its billing period, until an instant or until it is resumed. A paused one
 * grants nothing and keeps its claims. Its period runs to its end, no other one follows, and no money moves for the
 * pause. A paused one gets the new end of the pause. Errors: NOT_FOUND; BAD_REQUEST for a free plan, for one without
 * billing periods, and before the first payment. BAD_REQUEST also while a cancellation or an adjustment is scheduled.
 * BAD_REQUEST also for an end that is not after the start of the pause.
 */
export function pauseSubscription(
  session: Session,
  { id, pause: { timing, resumesAt = null } }: z.output<typeof pauseSubscriptionInput>,
): Promise<Subscription> {
  return lockCaughtUp(session, id, async ({ session, subscription }) => {
    await requirePausable(session, subscription);
    const { currentBillingPeriodEnd: end, status } = subscription;
    const isNow = timing === 'immediately' || status === 'paused';
    const from = isNow ? session.now : (end ?? session.now);
    if (resumesAt && resumesAt <= from) {
      throw invalid('OUT_OF_RANGE', 'pause.resumesAt', `must be after ${from.toISOString()}`);
    }
    subscription.resumesAt = resumesAt;
    if (isNow) subscription.pause(subscription.pausedAt ?? session.now);
    else subscription.pauseScheduledAt = from;
    return subscription;
  });
}

async function requirePausable(session: Session, subscription: Subscription) {
  const { id, status } = subscription;
  const refuse = (message: string) => invalid('INVALID_STATE', 'id', `${id} ${message}`);
  if (status === 'paused') return;
  if (subscription.isFreePlan) throw refuse('is a free plan: there is nothing to pause');
  if (!subscription.renews) throw refuse('has no billing periods: cancel it instead');
  if (status === 'cancellation_scheduled') {
    throw refuse('is to be canceled: revert the cancellation first');
  }
  if (!pausable.includes(status)) throw refuse(`is ${status}`);
  if (subscription.scheduledAdjustmentAt) {
    throw refuse('has a scheduled adjustment: cancel that first');
  }
  await refuseWhileAdjusting(session, subscription);
}
