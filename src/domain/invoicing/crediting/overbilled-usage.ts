import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * The amount by which an invoice is reduced for usage and commitments that earlier ones overbilled, in minor units before
 * tax. The customer has paid it in advance. It may be a part of a line that also bills new usage.
 */
export async function overbilledUsageOn(
  { em }: Session,
  { id }: Pick<Invoice, 'id'>,
): Promise<number> {
  const rows = await statement<{ amount: string }>(
    em,
    'set off on an invoice',
    `select (coalesce((select -sum(o.amount)
         from invoice_line_item line join owed_usage o on o.invoice_line_item_id = line.id and not o.is_lost
           and (o.undone_line_item_id is not null or line.usage_quantity < 0 and o.quantity < 0)
         where line.invoice_id = $1 and line.type = 'usage'), 0)
       + coalesce((select -sum(line.amount) from invoice_line_item line
         where line.invoice_id = $1 and line.undone_line_item_id is not null), 0))::text as amount`,
    [id],
  );
  return Number(rows[0]?.amount ?? 0);
}
