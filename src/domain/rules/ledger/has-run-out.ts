import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { UsageCredit } from '#domain/usage-credits/usage-credit.ts';

/**
 * Whether a credit has expired with units left that are not expired in the ledger yet, since the job has not met it.
 * On a test clock the ledger changes when the clock passes that instant.
 */
export async function hasRunOut(
  { em, now }: Session,
  { expiresAt, remaining, subscriptionId }: UsageCredit,
): Promise<boolean> {
  if (!expiresAt || expiresAt > now || Number(remaining) === 0) return false;
  const subscription = await em.findOne(Subscription, subscriptionId);
  return subscription?.testClockId === null;
}
