import type { Session } from '#domain/kernel/session.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';

/**
 * Moves the expiry of a period's credits to its end, when it ends earlier or later than planned. Credits that have
 * rolled over into it expire with it, too.
 */
export async function endPeriodCredits(
  { em }: Session,
  { id: billingPeriodId, endDate: expiresAt }: BillingPeriod,
) {
  const own = { billingPeriodId, rolledInto: null };
  const ofPeriod = {
    $or: [own, { rolledInto: billingPeriodId }],
    source: { $ne: 'manual' as const },
  };
  const ending = { ...ofPeriod, expiresAt: { $ne: null } };
  // Ledgers are written without the ORM, so its copies of credits may be out of date.
  for (const credit of await em.find(UsageCredit, ending, { refresh: true })) {
    credit.expiresAt = expiresAt;
  }
  await em.flush();
}
