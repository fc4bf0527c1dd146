import type { UnbilledPart, UsageRate } from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { type RateRow, rateColumns, rateOf } from '#domain/metering/ledger/rate-columns.ts';
import { cellsOf } from '#domain/metering/ledger/read-ledgers.ts';
import type { Measured } from '#domain/model/catalog/exact-part.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { pricedParts } from './priced-parts.ts';
import { billedLines, partsOf } from './reverse-lines.ts';

/** All unbilled usage at one price. */
export interface UnbilledUsage {
  readonly rate: UsageRate;
  readonly parts: readonly UnbilledPart[];
}

interface Owed extends RateRow, Omit<UsageRate, keyof RateRow> {
  readonly periodId: string;
  readonly quantity: string;
  /** The usage of the period, of which `owed` is not covered by credits, its events and that of its cells. */
  readonly usage: string | null;
  readonly owed: string;
  readonly events: number | null;
  readonly cells: Readonly<Record<string, string>> | null;
}

/**
 * The usage that a locked subscription owes, or that was overbilled, by meter and price in one order. Usage of periods
 * that are paid elsewhere, and from before them, is not owed here.
 */
export async function unbilledUsage(
  session: Session,
  { id }: Pick<Subscription, 'id'>,
): Promise<UnbilledUsage[]> {
  const owed = await statement<Owed>(
    session.em,
    'unbilled usage',
    `select o.balance_id as "balanceId", o.price_id as "priceId", o.billing_period_id as "periodId",
       sum(o.quantity)::text as quantity, ${rateColumns('p')}, p.currency, m.name as "meterName",
       t.usage::text as usage, t.events::int as events, t.cells,
       (select sum(a.quantity)::text from owed_usage a where a.balance_id = o.balance_id
         and a.billing_period_id = o.billing_period_id and a.price_id = o.price_id) as owed
     from owed_usage o
     join usage_meter_balance b on b.id = o.balance_id
     join usage_meter m on m.id = b.usage_meter_id
     join price p on p.id = o.price_id
     join subscription s on s.id = b.subscription_id
     left join billing_period period on period.id = o.billing_period_id
     left join usage_total t on t.balance_id = o.balance_id and t.billing_period_id = o.billing_period_id
       and t.price_id = o.price_id
     where b.subscription_id = $1 and o.invoice_line_item_id is null
       and (s.paid_until is null or period.start_date >= s.paid_until
         or (period.id is null and o.billing_period_id <> ''))
     group by o.balance_id, o.price_id, o.billing_period_id, p.id, m.id, period.start_date, t.usage, t.events, t.cells
     having sum(o.quantity) <> 0 or p.model <> 'per_unit'
       or num_nonnulls(p.free_units, p.minimum_amount, p.maximum_amount) > 0
     order by m.created_at, m.position, m.id, p.created_at, p.position, p.id, period.start_date nulls first, o.billing_period_id`,
    [id],
  );
  const lines = await billedLines(
    session,
    owed.map((group) => ({ ...group, isPriced: group.pricing !== null })),
  );
  const byPrice = new Map<string, { rate: UsageRate; parts: UnbilledPart[] }>();
  for (const row of owed) {
    const { periodId, quantity, balanceId, priceId, meterName, currency } = row;
    const rate = { ...rateOf(row), balanceId, priceId, meterName, currency };
    const key = `${rate.balanceId} ${rate.priceId}`;
    const usage = byPrice.get(key) ?? { rate, parts: [] };
    byPrice.set(key, usage);
    const group = { periodId, units: unitsOf(quantity), rate };
    usage.parts.push(
      ...(rate.pricing
        ? pricedParts({ ...group, measured: measuredOf(row) }, lines)
        : partsOf(group, lines)),
    );
  }
  return [...byPrice.values()];
}

/** The totals of a closed period, from which its cost follows. */
function measuredOf({ usage, owed, events, cells }: Owed): Measured {
  const all = unitsOf(usage ?? owed);
  const covered = all - unitsOf(owed);
  return { usage: all, covered, events: events ?? undefined, cells: cellsOf(cells) };
}
