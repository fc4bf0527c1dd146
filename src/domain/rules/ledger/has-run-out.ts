import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { UsageCredit } from '#domain/usage-credits/usage-credit.ts';

/**
 * Whether a credit has run out with something left, which is not written down yet: the job that does so has not met
 * it. On a test clock it is written down when the clock passes that instant.
 */
export async function hasRunOut(
  { em, now }: Session,
  { expiresAt, remaining, subscriptionId }: UsageCredit,
): Promise<boolean> {
  if (!expiresAt || expiresAt > now || Number(remaining) === 0) return false;
  const subscription = await em.findOne(Subscription, subscriptionId);
  return subscription?.testClockId === null;
}
