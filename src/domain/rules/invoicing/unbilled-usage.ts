import { unitsOf } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { billedLines, partsOf } from './reverse-lines.ts';
import type { UnbilledPart, UsageRate } from './unbilled-part.ts';

/** All unbilled usage at one price. */
export interface UnbilledUsage {
  readonly rate: UsageRate;
  readonly parts: readonly UnbilledPart[];
}

interface Owed extends Omit<UsageRate, 'unitPrice' | 'perUnit'> {
  readonly unitPrice: string;
  readonly perUnit: string;
  readonly periodId: string;
  readonly quantity: string;
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
       sum(o.quantity)::text as quantity, p.unit_price as "unitPrice", p.usage_events_per_unit as "perUnit",
       p.currency, m.name as "meterName"
     from owed_usage o
     join usage_meter_balance b on b.id = o.balance_id
     join usage_meter m on m.id = b.usage_meter_id
     join price p on p.id = o.price_id
     join subscription s on s.id = b.subscription_id
     left join billing_period period on period.id = o.billing_period_id
     where b.subscription_id = $1 and o.invoice_line_item_id is null
       and (s.paid_until is null or period.start_date >= s.paid_until)
     group by o.balance_id, o.price_id, o.billing_period_id, p.id, m.id, period.start_date
     having sum(o.quantity) <> 0
     order by m.created_at, m.position, m.id, p.created_at, p.position, p.id, period.start_date nulls first, o.billing_period_id`,
    [id],
  );
  const lines = await billedLines(session, owed);
  const byPrice = new Map<string, { rate: UsageRate; parts: UnbilledPart[] }>();
  for (const { unitPrice, perUnit, periodId, quantity, ...names } of owed) {
    const rate = { ...names, unitPrice: Number(unitPrice), perUnit: Number(perUnit) };
    const key = `${rate.balanceId} ${rate.priceId}`;
    const usage = byPrice.get(key) ?? { rate, parts: [] };
    byPrice.set(key, usage);
    usage.parts.push(...partsOf({ periodId, units: unitsOf(quantity), rate }, lines));
  }
  return [...byPrice.values()];
}
