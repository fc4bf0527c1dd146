import type { Session } from '#domain/kernel/session.ts';
import { spread } from '#domain/model/catalog/tax.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { creditNoteAmounts, type NotedLine } from './write-credit-note.ts';

/** The part of an invoice that is returned for unused time, as the subject of its credit note. */
export interface UnusedPart {
  readonly invoice: Invoice;
  readonly of: number | readonly NotedLine[];
  /** In the terms of the invoice's lines. */
  readonly amount: number;
  /** The same with its tax. */
  readonly total: number;
}

export const unusedDescription = 'Unused part of the billing period';

/**
 * Divides an unused amount of a plan among invoices, in their order, and states each part with its tax. The amount is
 * that of lines, and the tax is that of a credit note for them. `mostOf` limits the total of each invoice. Writes nothing.
 */
export async function unusedParts(
  session: Session,
  invoices: readonly Invoice[],
  amount: number,
  mostOf: (session: Session, invoice: Invoice) => Promise<number>,
): Promise<UnusedPart[]> {
  const parts: UnusedPart[] = [];
  let left = amount;
  for (const invoice of invoices) {
    if (left <= 0) break;
    const part = await unusedPart(invoice, left, await mostOf(session, invoice));
    if (!part) continue;
    parts.push(part);
    left -= part.amount;
  }
  return parts;
}

/** The part of one invoice; null where nothing of it can be returned. */
export async function unusedPart(
  invoice: Invoice,
  amount: number,
  most: number,
): Promise<UnusedPart | null> {
  if (most <= 0 || amount <= 0) return null;
  const lines = await linesOf(invoice, amount);
  // The rest of an invoice has the rest of its tax.
  const isRest = amount >= restOf(invoice);
  const isMore = creditNoteAmounts(invoice, lines).amounts.total > most;
  const of = isRest || isMore ? most : lines;
  const { subtotal, total } = creditNoteAmounts(invoice, of).amounts;
  return total > 0 ? { invoice, of, amount: subtotal, total } : null;
}

const restOf = ({ subtotal, amountCredited, taxCredited, taxInclusive }: Invoice) =>
  subtotal - (amountCredited - (taxInclusive ? 0 : taxCredited));

/** The amount as lines of a credit note: one for each group of taxes that the plan has. */
async function linesOf(invoice: Invoice, amount: number): Promise<NotedLine[]> {
  const all = await invoice.lineItems.loadItems();
  const charges = all.filter(({ type }) => type === 'static');
  const groups = Map.groupBy(charges, ({ taxGroup }) => taxGroup ?? null);
  const weights = [...groups.values()].map((lines) =>
    lines.reduce((sum, { amount }) => sum + amount, 0),
  );
  const share = { invoiceLineItemId: null, description: unusedDescription, quantity: null };
  if (weights.length < 2) return [{ ...share, amount, taxGroup: [...groups.keys()][0] }];
  const amounts = spread(amount, weights);
  return [...groups.keys()]
    .map((taxGroup, at) => ({ ...share, amount: amounts[at] ?? 0, taxGroup }))
    .filter(({ amount }) => amount > 0);
}

/** The sums of parts. */
export const sumOfParts = (parts: readonly Pick<UnusedPart, 'amount' | 'total'>[]) =>
  parts.reduce(
    (sum, part) => ({ amount: sum.amount + part.amount, total: sum.total + part.total }),
    {
      amount: 0,
      total: 0,
    },
  );
