import { costOf, type Units, unitsOf } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import type { Rate } from './ledger.ts';
import { dearestFirst } from './settle-period.ts';

/** The spend of a subscription in one period on one meter. */
export interface Spend {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly periodId: string;
  /** In minor units: the usage beyond credits at its prices, before discounts and tax. */
  readonly amount: bigint;
}

interface Row extends Omit<Spend, 'amount'>, Rate {
  readonly priceId: string;
  readonly usage: string;
  readonly covered: string;
}

/** Computes the spend of subscriptions in periods so far, as the written ledgers have it. */
export async function spendIn(
  { em }: Session,
  periods: readonly (readonly [subscriptionId: string, periodId: string])[],
): Promise<Spend[]> {
  if (periods.length === 0) return [];
  const rows = await statement<Row>(
    em,
    'spend of periods',
    `select b.subscription_id as "subscriptionId", b.usage_meter_id as "usageMeterId", t.billing_period_id as "periodId",
       t.price_id as "priceId", t.usage::text, p.unit_price::float8 as "unitPrice",
       p.usage_events_per_unit::float8 as "perUnit", coalesce((
         select sum(a.amount) from usage_credit c join usage_credit_application a on a.credit_id = c.id
         where c.balance_id = b.id and a.billing_period_id = t.billing_period_id), 0)::text as covered
     from unnest($1::text[], $2::text[]) as wanted (subscription_id, period_id)
     join usage_meter_balance b on b.subscription_id = wanted.subscription_id
     join usage_total t on t.balance_id = b.id and t.billing_period_id = wanted.period_id
     join price p on p.id = t.price_id`,
    [periods.map(([id]) => id), periods.map(([, id]) => id)],
  );
  const groups = Map.groupBy(
    rows,
    (row) => `${row.usageMeterId} ${row.subscriptionId} ${row.periodId}`,
  );
  return [...groups.values()].map((group) => {
    const [{ subscriptionId, usageMeterId, periodId }] = group as [Row, ...Row[]];
    return { subscriptionId, usageMeterId, periodId, amount: costBeyondCredits(group) };
  });
}

function costBeyondCredits(rows: readonly Row[]): bigint {
  const rates = new Map(rows.map((row) => [row.priceId, row]));
  let covered: Units = unitsOf(rows[0]?.covered ?? '0');
  let cost = 0n;
  for (const { usage, unitPrice, perUnit } of rows.toSorted(dearestFirst(rates))) {
    const used = unitsOf(usage);
    const free = covered < used ? covered : used;
    covered -= free;
    cost += costOf(used - free, unitPrice, perUnit);
  }
  return cost;
}
