import { z } from 'zod';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { resumeSubscription as resume } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { requirePermittedPause } from './pause-by-customer.ts';

export const resumeSubscriptionInput = z.object({ id: z.string() });

/**
 * Ends the pause of a subscription, or reverts a scheduled one. Within the period in which it was paused, that period
 * continues. Afterwards a new period starts now and is charged, and later ones repeat from here. One that is neither
 * paused nor to be paused is returned as it is. Errors: NOT_FOUND; FORBIDDEN for a customer token,
 * unless the organization permits pauses.
 */
export function resumeSubscription(
  session: Session,
  { id }: z.output<typeof resumeSubscriptionInput>,
): Promise<Subscription> {
  return lockCaughtUp(session, id, async ({ session, subscription }) => {
    await requirePermittedPause(session);
    if (subscription.status === 'paused') await resume(session, subscription);
    else if (subscription.pauseScheduledAt) subscription.endPause();
    return subscription;
  });
}
