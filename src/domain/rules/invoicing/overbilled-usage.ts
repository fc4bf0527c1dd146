import type { Invoice } from '#domain/invoices/invoice.ts';
import { costOf, unitsOf } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';

/**
 * By how much an invoice is less for usage that earlier ones billed too much, in minor units before tax: the customer
 * has paid so much of it beforehand. It may be within a line that bills new usage, too.
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
