import { z } from 'zod';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { endTimings } from './cancellation-input.ts';

export const endCommitmentInput = z.object({
  id: z.string(),
  timing: z.enum(endTimings),
});

/**
 * Ends the commitment of a subscription: with its current billing period, or so that this period is not committed
 * either. The running term is reckoned with the periods that it has had. A subscription without a commitment is returned
 * as it is. Errors: NOT_FOUND.
 */
export function endCommitment(
  session: Session,
  { id, timing }: z.output<typeof endCommitmentInput>,
): Promise<Subscription> {
  return lockCaughtUp(session, id, async ({ session, subscription }) => {
    if (!subscription.commitment) return subscription;
    subscription.commitment = null;
    const period = await currentPeriod(session, subscription);
    if (period && timing === 'immediately') period.commitment = null;
    await session.em.flush();
    return subscription;
  });
}
