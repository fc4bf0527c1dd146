import type { UnbilledPart } from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { discountOf } from '#domain/model/catalog/discount-terms.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The discounts of invoices by their ids, with what the corrections so far have credited. */
export type KnownDiscounts = Map<string, UsageDiscount | null>;

/** The discount with which the usage of an invoice was billed, in minor units. */
export interface UsageDiscount {
  readonly code: string;
  readonly redemptionId: string;
  readonly discount: number;
  /** The usage that it reduced. */
  readonly base: number;
  /** The usage that has been credited so far. */
  credited: number;
}

/**
 * Adds to each correction the share of the discount with which its usage was billed. The shares of all corrections of
 * an invoice together are rounded half up once, so that they return no more than that discount.
 */
export async function withReturnedShares(
  session: Session,
  parts: readonly UnbilledPart[],
  known: KnownDiscounts,
): Promise<UnbilledPart[]> {
  const shared: UnbilledPart[] = [];
  for (const part of parts) {
    const { undone } = part;
    if (undone?.standing !== 'kept') {
      shared.push(part);
      continue;
    }
    const { id } = undone.invoice;
    if (!known.has(id)) known.set(id, await usageDiscountOf(session, undone.invoice));
    const of = known.get(id);
    if (!of || of.base === 0) {
      shared.push(part);
      continue;
    }
    const before = proportion(of.discount, of.credited, of.base);
    of.credited = Math.min(of.base, of.credited - Number(part.amount));
    const amount = proportion(of.discount, of.credited, of.base) - before;
    const { code, redemptionId } = of;
    shared.push({ ...part, discount: { code, redemptionId, amount } });
  }
  return shared;
}

/** A discount reduces the charges of its invoice first, as far as it is an amount; the rest reduces the usage. */
export async function usageDiscountOf(
  { em }: Session,
  { id, currency, purpose }: Invoice,
): Promise<UsageDiscount | null> {
  const items = await em.find(InvoiceLineItem, { invoice: id });
  const line = items.find(({ discountBase }) => discountBase != null);
  if (!line) return null;
  const redemption = await em.findOneOrFail(DiscountRedemption, line.discountRedemptionId ?? '');
  const charges = items
    // The other lines of a correction only balance it.
    .filter(({ type }) => type === 'static' && purpose !== 'usage_correction')
    .reduce((sum, { amount }) => sum + amount, 0);
  return {
    code: redemption.code,
    redemptionId: redemption.id,
    discount: -line.amount - discountOf(redemption, charges, currency),
    base: (line.discountBase ?? 0) - charges,
    credited: await creditedUsageOf({ em }, { id }),
  };
}

/** The usage of an invoice that corrections have credited, by its listed amount in minor units. */
export async function creditedUsageOf(
  { em }: Pick<Session, 'em'>,
  { id }: Pick<Invoice, 'id'>,
): Promise<number> {
  const [row] = await statement<{ amount: string }>(
    em,
    'credited usage of an invoice',
    `select coalesce(-sum(o.amount), 0)::text as amount from owed_usage o
     join invoice_line_item line on line.id = o.undone_line_item_id
     where line.invoice_id = $1 and o.invoice_line_item_id is not null and not o.is_lost`,
    [id],
  );
  return Number(row?.amount ?? '0');
}

/** The differences to commitments on an invoice that later lines have reduced, in minor units. */
export async function creditedCommitmentsOf(
  { em }: Pick<Session, 'em'>,
  { id }: Pick<Invoice, 'id'>,
): Promise<number> {
  const [row] = await statement<{ amount: string }>(
    em,
    'credited commitments of an invoice',
    `select coalesce(-sum(by.amount), 0)::text as amount from invoice_line_item line
     join invoice_line_item by on by.undone_line_item_id = line.id
     where line.invoice_id = $1 and line.type = 'commitment'`,
    [id],
  );
  return Number(row?.amount ?? '0');
}
