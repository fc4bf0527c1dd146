import type { BillingPeriod, PeriodCredit } from '#domain/billing-periods/billing-period.ts';
import { planTotal } from '#domain/subscriptions/planned-item.ts';
import { type PlanChange, type Stretch, usedAmount, worthAfter } from './proration.ts';

/**
 * The proration of a period at present: by its charge at the start, or by the last prorated change. Changes without
 * proration do not count, in either direction. All amounts are those after the discount of the period.
 */
export async function stretchOf(period: BillingPeriod): Promise<Stretch> {
  const { endDate, proration } = period;
  const startDate = period.cycleStart ?? period.startDate;
  const { since, used, total } = proration ?? {
    since: startDate,
    used: 0,
    total: period.worthOf(planTotal(await period.items.loadItems())),
  };
  return { startDate, endDate, since: new Date(since), used, total };
}

/** The same before the discount, as the prices are listed. */
export async function listedStretchOf(period: BillingPeriod): Promise<Stretch> {
  const { endDate, proration } = period;
  const startDate = period.cycleStart ?? period.startDate;
  const { used, total } = proration?.listed ??
    proration ?? { used: 0, total: planTotal(await period.items.loadItems()) };
  return { startDate, endDate, since: new Date(proration?.since ?? startDate), used, total };
}

/** A change of a period's plan, after its discount. */
export const discountedChange = (period: BillingPeriod, change: PlanChange): PlanChange => ({
  ...change,
  oldTotal: period.worthOf(change.oldTotal),
  newTotal: period.worthOf(change.newTotal),
});

/**
 * Settles the worth of a period until `at` and prices the rest by the change. The latest change determines the credit
 * once the period is paid.
 */
export async function sharePeriod(
  period: BillingPeriod,
  at: Date,
  { awaitedCredit, ...listed }: PlanChange & { readonly awaitedCredit?: PeriodCredit | undefined },
) {
  const stretch = await stretchOf(period);
  const before = await listedStretchOf(period);
  const total = worthAfter(stretch.total, discountedChange(period, listed));
  const listedTotal = worthAfter(before.total, listed);
  const isSame = total === stretch.total && listedTotal === before.total;
  if (isSame && !period.proration && !awaitedCredit?.amount) return;
  period.proration = {
    since: isSame ? stretch.since.getTime() : at.getTime(),
    used: isSame ? stretch.used : usedAmount(stretch, at),
    total,
    ...(period.discount && {
      listed: { used: isSame ? before.used : usedAmount(before, at), total: listedTotal },
    }),
    ...(awaitedCredit?.amount && { awaitedCredit }),
  };
}
