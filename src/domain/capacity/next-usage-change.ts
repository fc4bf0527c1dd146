import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/**
 * The next instant at which time alone changes the capacity or the claims of a subscription: claims, reservations,
 * features or items expire or begin. Null when there is none, and on a test clock, whose advances emit events.
 */
export async function nextUsageChange(
  { em, now }: Session,
  { id, testClockId }: Subscription,
): Promise<Date | null> {
  if (testClockId) return null;
  const [{ next }] = await em.execute<[{ next: Date | string | null }]>(
    `select min(at) as next from (
       select expires_at as at from resource_claim_count
         where subscription_id = ? and claimed > 0 and expires_at < 'infinity'
       union all select expires_at from reservation where subscription_id = ? and status = 'held'
       union all select expired_at from subscription_item_feature
         where subscription_id = ? and resource_id is not null
       union all select expired_at from subscription_item where subscription_id = ?
       union all select added_date from subscription_item where subscription_id = ?) as change
     where at > ?`,
    [id, id, id, id, id, now],
  );
  return next === null ? null : new Date(next);
}
