import type { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { proportion } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { usageDiscountOf } from '#domain/rules/invoicing/returned-shares.ts';

const sumOf = (items: readonly InvoiceLineItem[]) =>
  items.reduce((sum, { amount }) => sum + amount, 0);

/**
 * The amount of each line of an invoice after its share of the discounts, by the id of the line: the part that the
 * customer has paid for it. Charges and usage each share their part of the discount, rounded half up so that all
 * shares together are that part. A discount and a credited line have no share and are not in the result.
 */
export async function discountedAmounts(
  session: Session,
  invoice: Invoice,
  items: readonly InvoiceLineItem[],
): Promise<Map<string, number>> {
  const discounts = items.filter(({ type }) => type === 'discount');
  const off = -sumOf(discounts.filter(({ amount }) => amount < 0));
  const usage = items.filter(({ type }) => type === 'usage');
  const charges = items.filter(({ type }) => type === 'static');
  const ofUsage = off > 0 ? ((await usageDiscountOf(session, invoice))?.discount ?? 0) : 0;
  // A credited line of usage has its own share, which is returned to it.
  const isCredited = usage.some(({ amount }) => amount < 0);
  const returned = isCredited ? 0 : sumOf(discounts.filter(({ amount }) => amount > 0));
  return new Map([...shared(charges, off - ofUsage), ...shared(usage, ofUsage - returned)]);
}

/** The amounts of lines after a discount on all of them. */
function shared(items: readonly InvoiceLineItem[], off: number): [string, number][] {
  const reduced = items.filter(({ amount }) => amount > 0);
  const all = sumOf(reduced);
  let before = 0;
  return reduced.map(({ id, amount }) => {
    const share = proportion(off, before + amount, all) - proportion(off, before, all);
    before += amount;
    return [id, Math.max(0, amount - share)];
  });
}
