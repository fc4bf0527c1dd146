import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { itemsOf } from '#domain/platform/reads/items-of.ts';

/**
 * Makes the next end of a trial of the items of a locked subscription due, after they have changed. `items` are all of
 * them, where the caller knows them.
 */
export async function followItemTrials(
  session: Session,
  subscription: Subscription,
  items?: readonly SubscriptionItem[],
) {
  await session.em.flush();
  const present = items ?? (await itemsOf(session, subscription));
  const ends = present.flatMap(({ pricing, expiredAt }) => {
    const { trialEnd } = pricing ?? {};
    if (trialEnd === undefined || (expiredAt && expiredAt.getTime() <= trialEnd)) return [];
    return trialEnd;
  });
  if (ends.length === 0 && !subscription.itemTrialEndAt) return;
  subscription.followTrial(ends.length > 0 ? new Date(Math.min(...ends)) : null, session.now);
}
