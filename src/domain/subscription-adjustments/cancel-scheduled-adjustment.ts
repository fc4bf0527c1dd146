import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { dropScheduledAdjustment } from '#domain/rules/adjusting/drop-scheduled-adjustment.ts';
import { settleTemporaryClaims } from '#domain/rules/capacity/temporary-claims.ts';
import { catchUp } from '#domain/rules/collection/transition-subscription.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

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
  await catchUp(afresh(session), id);
  return command(afresh(session), async (session) => {
    const { subscription, session: then } = await lockSubscription(session, id);
    if (!subscription.scheduledAdjustmentAt) {
      throw invalid('id', `${id} has no scheduled adjustment to cancel`);
    }
    const canceledItemCount = await dropScheduledAdjustment(then, subscription, null);
    await then.em.flush();
    await settleTemporaryClaims(then, id);
    return { subscription, canceledItemCount };
  });
}
