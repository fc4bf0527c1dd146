import type { BillingPeriod, PeriodCredit } from '#domain/billing-periods/billing-period.ts';
import { planTotal } from '#domain/subscriptions/planned-item.ts';
import { type PlanChange, type Stretch, usedAmount, worthAfter } from './proration.ts';

/**
 * The proration of a period at present: by its charge at the start, or by the last prorated change. Changes without
 * proration do not count, in either direction.
 */
export async function stretchOf(period: BillingPeriod): Promise<Stretch> {
  const { startDate, endDate, proration } = period;
  const { since, used, total } = proration ?? {
    since: startDate,
    used: 0,
    total: planTotal(await period.items.loadItems()),
  };
  return { startDate, endDate, since: new Date(since), used, total };
}

/**
 * Settles the worth of a period until `at` and prices the rest by the change. The latest change determines the credit
 * once the period is paid.
 */
export async function sharePeriod(
  period: BillingPeriod,
  at: Date,
  { awaitedCredit, ...change }: PlanChange & { readonly awaitedCredit?: PeriodCredit | undefined },
) {
  const stretch = await stretchOf(period);
  const total = worthAfter(stretch.total, change);
  const isSame = total === stretch.total;
  if (isSame && !period.proration && !awaitedCredit?.amount) return;
  period.proration = {
    since: isSame ? stretch.since.getTime() : at.getTime(),
    used: isSame ? stretch.used : usedAmount(stretch, at),
    total,
    ...(awaitedCredit?.amount && { awaitedCredit }),
  };
}
