import { z } from 'zod';
import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { dropScheduledAdjustment } from '#domain/subscriptions/adjusting/drop-scheduled-adjustment.ts';

export const cancelScheduledAdjustmentInput = z.object({ id: z.string() });

export interface CanceledAdjustment {
  readonly subscription: Subscription;
  readonly canceledItemCount: number;
}

/**
 * Cancels a scheduled adjustment: items that would have ended continue, and new ones do not begin. Errors: NOT_FOUND;
 * BAD_REQUEST when nothing is scheduled.
 */
export async function cancelScheduledAdjustment(
  session: Session,
  { id }: z.output<typeof cancelScheduledAdjustmentInput>,
): Promise<CanceledAdjustment> {
  return lockCaughtUp(afresh(session), id, async ({ subscription, session }) => {
    if (!subscription.scheduledAdjustmentAt) {
      throw invalid('INVALID_STATE', 'id', `${id} has no scheduled adjustment to cancel`);
    }
    const canceledItemCount = await dropScheduledAdjustment(session, subscription, null);
    await session.em.flush();
    await markTemporaryClaims(session, id);
    return { subscription, canceledItemCount };
  });
}
