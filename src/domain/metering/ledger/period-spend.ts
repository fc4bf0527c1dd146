import type { Session } from '#domain/kernel/session.ts';
import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { costOfUsage } from '#domain/model/catalog/cost.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { Rate } from './ledger.ts';
import { type RateRow, rateColumns, rateOf } from './rate-columns.ts';
import { cellsOf } from './read-ledgers.ts';
import { dearestFirst } from './record-owed-usage.ts';

/** The spend of a subscription in one period on one meter. */
export interface Spend {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly periodId: string;
  /** In minor units: the usage beyond credits at its prices, before discounts and tax. */
  readonly amount: bigint;
}

interface Row extends Omit<Spend, 'amount'>, RateRow {
  readonly priceId: string;
  readonly usage: string;
  readonly covered: string;
  readonly events: number;
  readonly cells: Readonly<Record<string, string>> | null;
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
       t.price_id as "priceId", t.usage::text, t.events::int, t.cells, ${rateColumns('p')}, coalesce((
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
  const rates = new Map(rows.map((row) => [row.priceId, rateOf(row)]));
  const used = rows
    .map(({ priceId, usage, events, cells }) => ({
      priceId,
      events,
      usage: unitsOf(usage),
      cells: cellsOf(cells),
      rate: rates.get(priceId) as Rate,
    }))
    .filter(({ usage }) => usage > 0n);
  let left: Units = unitsOf(rows[0]?.covered ?? '0');
  let cost = 0n;
  for (const { rate, usage, events, cells } of used.toSorted(dearestFirst(rates))) {
    const covered = left < usage ? left : usage;
    left -= covered;
    cost += BigInt(costOfUsage(rate, { usage, covered, events, cells }).amount);
  }
  return cost;
}
