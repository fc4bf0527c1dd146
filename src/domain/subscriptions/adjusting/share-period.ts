import type { Session } from '#domain/kernel/session.ts';
import type { BillingPeriod, PeriodCredit } from '#domain/model/subscriptions/billing-period.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import {
  changesWorth,
  type PlanChange,
  type Stretch,
  totalAfter,
  usedAmount,
} from './proration.ts';
import { cutRests, type PendingRests, pendingRests } from './trial-rests.ts';

/**
 * The proration of a period at present: by its charge at the start, or by the last prorated change. Changes without
 * proration do not count, in either direction. All amounts are those after the discount of the period.
 */
export async function stretchOf(period: BillingPeriod, rests: PendingRests): Promise<Stretch> {
  const { endDate, proration, wholeStart: startDate } = period;
  const { since, used, total } = proration ?? {
    since: startDate,
    used: 0,
    total: period.worthOf(planTotal(await period.items.loadItems())),
  };
  return { startDate, endDate, since: new Date(since), used, total, apart: rests.worth };
}

/** The same before the discount, as the prices are listed. */
export async function listedStretchOf(
  period: BillingPeriod,
  rests: PendingRests,
): Promise<Stretch> {
  const { endDate, proration, wholeStart: startDate } = period;
  const { used, total } = proration?.listed ??
    proration ?? { used: 0, total: planTotal(await period.items.loadItems()) };
  const since = new Date(proration?.since ?? startDate);
  return { startDate, endDate, since, used, total, apart: rests.listed };
}

/** A change of a period's plan, after its discount. */
export const discountedChange = (period: BillingPeriod, change: PlanChange): PlanChange => ({
  ...change,
  oldTotal: period.worthOf(change.oldTotal),
  newTotal: period.worthOf(change.newTotal),
});

/**
 * Settles the worth of a period until `at` and prices the rest by the change. The latest change determines the credit
 * once the period is paid. A change with an effect ends the pending one-off charges after trials at its instant.
 */
export async function sharePeriod(
  session: Session,
  period: BillingPeriod,
  at: Date,
  { awaitedCredit, ...listed }: PlanChange & { readonly awaitedCredit?: PeriodCredit | undefined },
) {
  const rests = await pendingRests(session, period);
  const stretch = await stretchOf(period, rests);
  const before = await listedStretchOf(period, rests);
  const change = discountedChange(period, listed);
  const total = totalAfter(stretch, change);
  const listedTotal = totalAfter(before, listed);
  if (changesWorth(stretch, change)) cutRests(session, rests, at);
  const isSame = !change.startsPeriod && total === stretch.total && listedTotal === before.total;
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
