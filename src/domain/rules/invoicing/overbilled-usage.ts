import type { Invoice } from '#domain/invoices/invoice.ts';
import { costOf, unitsOf } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';

/**
 * The amount by which an invoice is reduced for usage that earlier ones overbilled, in minor units before tax. The
 * customer has paid it in advance. It may be a part of a line that also bills new usage.
 */
export async function overbilledUsageOn(
  { em }: Session,
  { id }: Pick<Invoice, 'id'>,
): Promise<number> {
  const rows = await statement<{ units: string; price: string; perUnit: string }>(
    em,
    'set off on an invoice',
    `select back.units::text, line.price, line.usage_events_per_unit as "perUnit"
     from invoice_line_item line, lateral (
       select -sum(o.quantity) as units from owed_usage o
       where o.invoice_line_item_id = line.id and not o.is_lost
         and (o.undone_line_item_id is not null or line.usage_quantity < 0 and o.quantity < 0)) back
     where line.invoice_id = $1 and line.type = 'usage' and back.units > 0`,
    [id],
  );
  return rows.reduce(
    (sum, { units, price, perUnit }) =>
      sum + Number(costOf(unitsOf(units), Number(price), Number(perUnit))),
    0,
  );
}
