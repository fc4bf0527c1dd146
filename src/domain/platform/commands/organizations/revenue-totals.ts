import type { Session } from '#domain/kernel/session.ts';
import { halfUp } from '#domain/kernel/values/decimal.ts';
import type { intervalUnits } from '#domain/model/catalog/price.ts';
import { payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { payingStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';

/** The totals of a pricing model in one currency; amounts are in minor units. */
export interface RevenueTotals {
  readonly currency: string;
  /** The monthly recurring revenue of the subscriptions. */
  readonly mrr: number;
  readonly activeSubscriptions: number;
  /** Of all time, like the refunds. */
  readonly paid: number;
  readonly refunded: number;
  /** The amount due of open invoices. */
  readonly outstanding: number;
}

/** The sum of the subscriptions with one interval, for one of their periods. */
export interface Recurring {
  /** Null for subscriptions that do not renew. */
  readonly interval: (typeof intervalUnits)[number] | null;
  readonly intervalCount: number | null;
  readonly amount: bigint;
}

/** The parts of a month, of 84, for a period of each unit: a year has 12 months and 365 days. */
const parts = 84n;
const partsOf = { day: 2_555n, week: 365n, month: 84n, year: 7n } as const;

/** The monthly sum of amounts with several intervals: exact up to one rounding, half up, of their sum. */
export function monthly(recurring: readonly Recurring[]): number {
  const counts = recurring.map(({ intervalCount }) => BigInt(intervalCount ?? 1));
  const common = counts.reduce((common, count) => (common * count) / gcd(common, count), 1n);
  const sum = recurring.reduce((sum, { interval, amount }, index) => {
    const share = common / (counts[index] ?? 1n);
    return interval ? sum + amount * partsOf[interval] * share : sum;
  }, 0n);
  return halfUp(sum, parts * common);
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

/** The present totals of the key's pricing model, for each currency; the organization's own is always among them. */
export async function revenueTotals(session: Session): Promise<RevenueTotals[]> {
  const { currency } = await session.em.findOneOrFail(Organization, session.organizationId);
  const subscriptions = await subscriptionsOf(session);
  const money = await moneyOf(session);
  const outstanding = await outstandingOf(session);
  const rows = [{ currency }, ...subscriptions, ...money, ...outstanding];
  return [...new Set(rows.map(({ currency }) => currency))].toSorted().map((currency) => {
    const own = subscriptions.filter((row) => row.currency === currency);
    const earned = money.find((row) => row.currency === currency);
    const open = outstanding.find((row) => row.currency === currency);
    return {
      currency,
      mrr: monthly(own.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) }))),
      activeSubscriptions: own.reduce((sum, { count }) => sum + count, 0),
      paid: Number(earned?.paid ?? 0),
      refunded: Number(earned?.refunded ?? 0),
      outstanding: Number(open?.outstanding ?? 0),
    };
  });
}

interface SubscriptionsRow extends Omit<Recurring, 'amount'> {
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
}

/** Sums the paying subscriptions by currency and interval, from a partial index. */
function subscriptionsOf({ em, pricingModelId, now }: Session): Promise<SubscriptionsRow[]> {
  return em.execute<SubscriptionsRow[]>(
    `with paying as materialized (
       select s.id, s.currency, s."interval", s.interval_count, coalesce(clock.frozen_time, ?) as moment
       from subscription s
         left join test_clock clock on clock.id = s.test_clock_id
       where s.pricing_model_id = ? and s.is_free_plan = false and s.do_not_charge = false
         and (s.status in (${listed(payingStatuses)}) or s.status = 'paused' and s.pause_billing = 'keeps')
         -- A trial that is to be canceled is still a trial.
         and (s.trial_end is null or s.trial_end <= coalesce(clock.frozen_time, ?))
     ), counted as (
       select currency, "interval", interval_count, count(*)::int as count from paying group by 1, 2, 3
     ), added as (
       select currency, "interval", interval_count, sum(coalesce(item.priced_amount, unit_price::numeric * quantity)) as amount
       from paying join subscription_item item on item.subscription_id = paying.id
         and item.added_date <= moment and (item.expired_at is null or item.expired_at > moment)
       group by 1, 2, 3
     )
     select counted.currency, counted."interval", counted.interval_count as "intervalCount", count,
       coalesce(amount, 0)::text as amount
     from counted left join added
       on (added.currency, added."interval", added.interval_count)
         is not distinct from (counted.currency, counted."interval", counted.interval_count)`,
    [now, pricingModelId, now],
  );
}

/** Sums the daily counters. */
function moneyOf({ em, pricingModelId }: Session) {
  return em.execute<{ currency: string; paid: string; refunded: string }[]>(
    `select currency, sum(paid)::text as paid, sum(refunded)::text as refunded
     from revenue_day where pricing_model_id = ? group by 1`,
    [pricingModelId],
  );
}

/** Sums the open invoices, from a partial index. */
function outstandingOf({ em, pricingModelId }: Session) {
  return em.execute<{ currency: string; outstanding: string }[]>(
    `select invoice.currency, sum(total - credit_applied - amount_waived - coalesce(received.amount, 0))::text as outstanding
     from invoice left join lateral (
       select sum(amount - refunded_amount - credited_amount - reversed_amount) as amount from payment
       where invoice_id = invoice.id and status in ('succeeded', 'refunded')) received on true
     where pricing_model_id = ? and invoice.status in (${listed(payableStatuses)})
     group by 1`,
    [pricingModelId],
  );
}

const listed = (statuses: readonly string[]) => statuses.map((status) => `'${status}'`).join(', ');
