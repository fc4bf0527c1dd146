import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

/**
 * Whether a credit has expired with units left that are not expired in the ledger yet, since the job has not met it.
 * Those that may roll over wait for the end of the period. On a test clock the ledger changes when the clock passes that instant.
 */
export async function hasRunOut(
  session: Session,
  { expiresAt, remaining, subscriptionId, rolloverPeriods }: UsageCredit,
): Promise<boolean> {
  if (!expiresAt || expiresAt > session.now || Number(remaining) === 0) return false;
  if (rolloverPeriods) return false;
  const subscription = await batched(session, hasRunOut, subscriptionId, subscriptionsById);
  return subscription?.testClockId === null;
}

async function subscriptionsById({ em }: Session, ids: readonly string[]) {
  const subscriptions = await em.find(Subscription, { id: { $in: [...ids] } });
  return new Map(subscriptions.map((subscription) => [subscription.id, subscription]));
}
