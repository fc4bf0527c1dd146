import { usageDiscountOf } from '#domain/invoicing/billing/returned-shares.ts';
import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { OwedUsage } from '#domain/model/metering/owed-usage.ts';

const sumOf = (items: readonly { readonly amount: number }[]) =>
  items.reduce((sum, { amount }) => sum + amount, 0);

/**
 * The amount of each line of an invoice after its share of the discounts, by the id of the line: the part that the
 * customer has paid for it. Charges and usage each share their part of the discount, rounded half up so that all
 * shares together are that part. A line of usage also has its share of what its corrections return. A discount and a
 * credited line are not in the result.
 */
export async function discountedAmounts(
  session: Session,
  invoice: Invoice,
  items: readonly InvoiceLineItem[],
): Promise<Map<string, number>> {
  const charges = items.filter(({ type, amount }) => type === 'static' && amount > 0);
  const usage = items.filter(({ type }) => type === 'usage');
  const discounts = items.filter(({ type }) => type === 'discount');
  const off = -sumOf(discounts.filter(({ amount }) => amount < 0));
  const returned = sumOf(discounts.filter(({ amount }) => amount > 0));
  const ofUsage = off > 0 ? ((await usageDiscountOf(session, invoice))?.discount ?? 0) : 0;
  const ofCharges = shared(charges, off - ofUsage, ({ amount }) => amount);
  const amounts = new Map(
    charges.map(({ id, amount }, index) => [id, Math.max(0, amount - (ofCharges[index] ?? 0))]),
  );
  for (const { id, type, amount } of items)
    if (['commitment', 'one_off'].includes(type) && amount > 0) amounts.set(id, amount);
  const parts = off + returned > 0 ? await partsOf(session, usage) : [];
  const given = shared(parts, ofUsage, ({ due }) => due);
  const back = shared(parts, returned, ({ returns }) => returns);
  for (const [index, { id, amount }] of usage.entries()) {
    const rest = amount - (given[index] ?? 0) + (back[index] ?? 0);
    if (amount > 0) amounts.set(id, Math.max(0, rest));
  }
  return amounts;
}

/** Divides an amount by the weights of parts, rounded half up so that all shares together are that amount. */
function shared<T>(parts: readonly T[], amount: number, weightOf: (part: T) => number): number[] {
  const all = parts.reduce((sum, part) => sum + weightOf(part), 0);
  let before = 0;
  return parts.map((part) => {
    const weight = weightOf(part);
    const share = proportion(amount, before + weight, all) - proportion(amount, before, all);
    before += weight;
    return share;
  });
}

/** Of each line of usage, the amount that is due, and the discount with which its corrections were billed. */
async function partsOf(session: Session, lines: readonly InvoiceLineItem[]) {
  const owed = await session.em.find(
    OwedUsage,
    { invoiceLineItem: { $in: lines.map(({ id }) => id) } },
    { populate: ['undoneLineItem.invoice'] },
  );
  const parts = [];
  for (const { id } of lines) {
    let [due, returns] = [0, 0];
    for (const { invoiceLineItem, undoneLineItem, amount, isLost } of owed) {
      if (invoiceLineItem?.id !== id || isLost) continue;
      if (!undoneLineItem) due += Math.max(0, amount ?? 0);
      else returns += await returnOf(session, undoneLineItem.unwrap(), -(amount ?? 0));
    }
    parts.push({ due, returns });
  }
  return parts;
}

async function returnOf(session: Session, { invoice }: InvoiceLineItem, credited: number) {
  const of = await usageDiscountOf(session, invoice.unwrap());
  return of && of.base > 0 ? proportion(of.discount, credited, of.base) : 0;
}
