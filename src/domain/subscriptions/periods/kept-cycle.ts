import type { Session } from '#domain/kernel/session.ts';
import { halfUp, proportion } from '#domain/kernel/values/decimal.ts';
import { amountOfItem, type ChargedItem } from '#domain/model/catalog/cost.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { BillingPeriodItem } from '#domain/model/subscriptions/billing-period-item.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { cycleAt } from './next-boundary.ts';
import { anchorOf } from './open-period.ts';

/** The billing cycle of a replaced subscription, which the new one keeps. */
export interface KeptCycle {
  /** The instant from which its periods repeat. */
  readonly anchor: Date;
  /** The start of the period that is running. */
  readonly start: Date;
  /** The end of that period. */
  readonly end: Date;
  /** The instant from which on the period is charged. */
  readonly from: Date;
}

/**
 * The cycle that a new subscription keeps from the one that it replaces, counted in its own interval. The period is
 * charged from the quote on, if that is within it. Null where the replaced one has no billing periods.
 */
export function keptCycle(
  replaced: Subscription | undefined,
  interval: Interval | null,
  { now, quotedAt }: { readonly now: Date; readonly quotedAt: Date },
): KeptCycle | null {
  if (!replaced?.currentBillingPeriodEnd || !interval) return null;
  return cycleFrom(anchorOf(replaced), interval, { now, quotedAt });
}

/** The running cycle of an anchor, which is charged from the quote on, if that is within it. */
export function cycleFrom(
  anchor: Date,
  interval: Interval,
  { now, quotedAt }: { readonly now: Date; readonly quotedAt: Date },
): KeptCycle {
  const { start, end } = cycleAt(anchor, interval, now);
  return { anchor, start, end, from: quotedAt > start ? quotedAt : start };
}

interface Charged extends ChargedItem {
  readonly name: string;
}

/**
 * The items of a kept period as they are charged. The amounts are shares of one sum, which is rounded half up once. The
 * texts name the cycle.
 */
export function proratedItems(
  items: readonly Charged[],
  { start, end, from }: Omit<KeptCycle, 'anchor'>,
  cycle: Pick<KeptCycle, 'start' | 'end'> = { start, end },
) {
  const length = end.getTime() - start.getTime();
  const rest = end.getTime() - from.getTime();
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const share = `${((100 * rest) / length).toFixed(1)} %`;
  let [listed, charged] = [0, 0];
  return items.map(({ name, ...item }) => {
    listed += amountOfItem(item);
    const before = charged;
    charged = proportion(listed, rest, length);
    return {
      name: `Prorated: ${name}`,
      description: `Prorated charge for ${share} of billing period (${day(cycle.start)} to ${day(cycle.end)})`,
      unitPrice: charged - before,
      quantity: 1,
      pricing: null,
    };
  });
}

/**
 * Prorates a period that has just been opened, with its discount: a kept one, and one that is a part of a cycle. Later
 * adjustments compare with the worth of the whole cycle, so they charge and credit differences only.
 */
export async function prorateFirst(
  { em }: Pick<Session, 'em'>,
  period: BillingPeriod,
  { from }: Pick<KeptCycle, 'from'> = { from: period.startDate },
) {
  const { startDate, cycleStart, cycleEnd, endDate: end, wholeStart: start } = period;
  if (from <= start) return;
  if (period.commitment) period.commitment = { ...period.commitment, from: from.getTime() };
  await em.flush();
  const order = { orderBy: { position: 'asc' } } as const;
  const items = await em.find(BillingPeriodItem, { billingPeriod: period.id }, order);
  const listed = planTotal(items);
  const cycle = { start: cycleStart ?? startDate, end: cycleEnd ?? end };
  for (const [index, item] of proratedItems(items, { start, end, from }, cycle).entries()) {
    em.assign(items[index] as BillingPeriodItem, item);
  }
  const total = period.worthOf(listed);
  const rest = BigInt(end.getTime() - from.getTime());
  const share = halfUp(BigInt(total) * rest, BigInt(end.getTime() - start.getTime()));
  period.proration = {
    since: from.getTime(),
    // The discount reduces the first payment as it is, so it may differ from its share by proration.
    used: period.worthOf(planTotal(items)) - share,
    total,
    ...(period.discount && { listed: { used: 0, total: listed } }),
  };
}
