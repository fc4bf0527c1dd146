import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { endItem } from '#domain/rules/adjusting/change-items.ts';
import { settleTemporaryClaims } from '#domain/rules/capacity/temporary-claims.ts';
import { afresh } from '#domain/rules/collection/charge-payment.ts';
import { catchUp } from '#domain/rules/collection/transition-subscription.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { tellOfAdjustment, told } from '#domain/subscriptions/adjustment-news.ts';
import { isPlanItem } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

export const cancelScheduledAdjustmentInput = z.object({ id: z.string() });

export interface CanceledAdjustment {
  readonly subscription: Subscription;
  readonly canceledItemCount: number;
}

/**
 * Takes a scheduled adjustment back: items that were to end go on as before, and those that were to begin
 * do not (reference §4.11). Errors: NOT_FOUND; BAD_REQUEST when nothing is scheduled.
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

/**
 * Leaves a held subscription as it would be without its scheduled adjustment, and tells why. Answers how many
 * items do not begin.
 */
export async function dropScheduledAdjustment(
  session: Session,
  subscription: Subscription,
  reason: string | null,
): Promise<number> {
  const { em, now } = session;
  const { items = [], ending = [], beginning = [] } = subscription.scheduledAdjustment ?? {};
  subscription.scheduledAdjustmentAt = null;
  subscription.scheduledAdjustment = null;
  const all = await em.find(
    SubscriptionItem,
    { subscription: subscription.id },
    { orderBy: { addedDate: 'asc', position: 'asc', id: 'asc' } },
  );
  const newItems = all.filter(({ id }) => beginning.includes(id));
  for (const item of newItems) await endItem(session, item, now);
  for (const { id, expiredAt } of ending) {
    const item = all.find((item) => item.id === id);
    if (item) item.expiredAt = expiredAt === null ? null : new Date(expiredAt);
  }
  const oldItems = all.filter((item) => item.isActive(now) && isPlanItem(item)).map(told);
  tellOfAdjustment(subscription, {
    verb: 'adjustment_canceled',
    oldItems,
    // As it was told when it was scheduled: what was to go on as well as what was to begin.
    newItems: [...items.filter(({ id }) => id !== null), ...newItems].map(told),
    reason,
  });
  return newItems.length;
}
