import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import type { Session } from '#domain/kernel/session.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';

/** Has the credits that were given for a period run out with it, when it ends earlier or later than it was to. */
export async function endPeriodCredits(
  { em }: Session,
  { id: billingPeriodId, endDate: expiresAt }: BillingPeriod,
) {
  const ofPeriod = { billingPeriodId, source: { $ne: 'manual' as const } };
  const ending = { ...ofPeriod, expiresAt: { $ne: null } };
  // Ledgers are written without the ORM, so its copies of credits may be out of date.
  for (const credit of await em.find(UsageCredit, ending, { refresh: true })) {
    credit.expiresAt = expiresAt;
  }
  await em.flush();
}
