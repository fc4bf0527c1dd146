import type { Session } from '#domain/kernel/session.ts';
import { UsageMeterBalance } from '#domain/usage-balances/usage-meter-balance.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';

/**
 * Part of a transaction in which a new subscription replaces an incomplete one. Moves the usage before the first
 * period and the usage credits of the old one to the new one, which has no ledger yet.
 */
export async function carryUsage({ em, now }: Session, from: string, to: string) {
  const updated = { updatedAt: now };
  await em.nativeUpdate(
    UsageMeterBalance,
    { subscription: from },
    { subscription: to, ...updated },
  );
  for (const credit of await em.find(UsageCredit, { subscriptionId: from })) {
    credit.subscriptionId = to;
  }
  await em.execute(
    `update usage_event set subscription_id = ?, updated_at = ? where subscription_id = ?`,
    [to, now, from],
  );
}
