import { z } from 'zod';
import type { Session } from '#domain/kernel/session.ts';
import { lockCaughtUp } from '#domain/rules/present/lock-present.ts';
import { currentPeriod } from '#domain/rules/reads/current-period.ts';
import { cancellationTimings } from './cancel-subscription.ts';
import type { Subscription } from './subscription.ts';

export const endCommitmentInput = z.object({
  id: z.string(),
  timing: z.enum(cancellationTimings),
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
