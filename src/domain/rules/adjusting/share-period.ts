import type { BillingPeriod, PeriodCredit } from '#domain/billing-periods/billing-period.ts';
import { planTotal } from '#domain/subscriptions/planned-item.ts';
import { type PlanChange, type Stretch, usedAmount, worthAfter } from './proration.ts';

/**
 * How a period is shared out as it stands: by what it was charged for when it began, or by the last change
 * that was prorated. What changed without proration does not count, in neither direction.
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
 * From `at` on a period goes by what the change makes of it, and what it was worth until then is settled. What
 * is to be credited once it has been paid for is what the latest change says.
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
