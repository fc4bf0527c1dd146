import type { Session } from '#domain/kernel/session.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';

/**
 * Part of a transaction in which a new subscription replaces an incomplete one. Moves the usage before the first
 * period and the usage credits of the old one to the new one, which has no ledger yet.
 */
export async function carryUsage({ em, now }: Session, from: string, to: string) {
  await em.execute(
    `update usage_meter_balance set subscription_id = ?, updated_at = greatest(updated_at, ?)
     where subscription_id = ?`,
    [to, now, from],
  );
  for (const credit of await em.find(UsageCredit, { subscriptionId: from })) {
    credit.subscriptionId = to;
  }
  await em.execute(
    `update usage_event set subscription_id = ?, updated_at = greatest(updated_at, ?) where subscription_id = ?`,
    [to, now, from],
  );
}
