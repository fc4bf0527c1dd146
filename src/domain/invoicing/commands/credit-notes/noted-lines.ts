import { uncredited } from '#domain/invoicing/crediting/credit-invoices.ts';
import { amountOfQuantity } from '#domain/invoicing/crediting/tax-shares.ts';
import type { NotedLine } from '#domain/invoicing/crediting/write-credit-note.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountText } from '#domain/kernel/values/currencies.ts';
import { decimalText, unitsOf, unitsOfNumber } from '#domain/kernel/values/decimal.ts';
import { CreditNoteLine } from '#domain/model/invoicing/credit-note-line.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { CreditNoteInput } from './credit-note-input.ts';
import { discountedAmounts } from './discounted-amounts.ts';

type LineInput = NonNullable<CreditNoteInput['lines']>[number];

/**
 * The subject of a credit note: an amount with its tax, or lines. The rest of an invoice without credit notes is all
 * its lines. A single line is credited as it was paid, after its share of the discounts. Errors: BAD_REQUEST for an
 * unknown line, for a discount, and for more than the rest of a line.
 */
export async function wantedOf(
  session: Session,
  invoice: Invoice,
  { whole, amount, lines }: CreditNoteInput,
): Promise<number | NotedLine[]> {
  if (amount != null) return amount;
  const items = await invoice.lineItems.loadItems();
  if (!whole) return linesOf(session, invoice, items, lines ?? []);
  const rest = await uncredited(session, invoice);
  return rest < invoice.total ? rest : items.map((item) => noted(item, item.amount));
}

async function linesOf(
  session: Session,
  invoice: Invoice,
  items: readonly InvoiceLineItem[],
  lines: readonly LineInput[],
): Promise<NotedLine[]> {
  const { currency } = invoice;
  const credited = await creditedLines(session, items);
  const discounted = await discountedAmounts(session, invoice, items);
  return lines.map((line, index) => {
    const path = `creditNote.lines.${index}`;
    const item = items.find(({ id }) => id === line.invoiceLineItemId);
    if (!item) {
      const message = `${line.invoiceLineItemId} is not a line of the invoice`;
      throw invalid('NOT_FOUND', `${path}.invoiceLineItemId`, message);
    }
    if (item.type === 'discount') {
      const message = `${item.id} is a discount: give the lines that it reduces, each is credited with its share`;
      throw invalid('INVALID', `${path}.invoiceLineItemId`, message);
    }
    const due = discounted.get(item.id) ?? 0;
    const before = credited.get(item.id) ?? { amount: 0, quantity: 0n };
    const wanted = line.quantity == null ? null : unitsOf(line.quantity);
    const all = unitsOfNumber(item.quantity);
    if (wanted !== null && wanted > all - before.quantity) {
      const most = decimalText(all > before.quantity ? all - before.quantity : 0n);
      throw invalid(
        'OUT_OF_RANGE',
        `${path}.quantity`,
        `must be at most ${most}, the rest of the line`,
      );
    }
    const rest = due - before.amount;
    const amount =
      wanted === null ? (line.amount ?? 0) : Math.min(rest, amountOfQuantity(due, wanted, all));
    if (amount > rest || amount <= 0) {
      const limit = amountText(Math.max(0, rest), currency);
      const message =
        wanted === null
          ? `must be at most ${limit}, the rest of the line`
          : `is worth nothing: the rest of the line is ${limit}`;
      throw invalid('OUT_OF_RANGE', `${path}.${wanted === null ? 'amount' : 'quantity'}`, message);
    }
    credited.set(item.id, {
      amount: before.amount + amount,
      quantity: before.quantity + (wanted ?? 0n),
    });
    return noted(item, amount, line.quantity == null ? null : Number(line.quantity));
  });
}

const noted = (
  { id, description, quantity, taxGroup }: InvoiceLineItem,
  amount: number,
  ofQuantity: number | null = quantity,
): NotedLine => ({
  invoiceLineItemId: id,
  description: description ?? '',
  quantity: ofQuantity,
  amount,
  taxGroup,
});

/** The part of lines that credit notes have credited so far. */
async function creditedLines({ em }: Session, items: readonly InvoiceLineItem[]) {
  const lines = await em.find(CreditNoteLine, {
    invoiceLineItem: { $in: items.map(({ id }) => id) },
    creditNote: { status: { $ne: 'failed' } },
  });
  const sums = new Map<string, { amount: number; quantity: bigint }>();
  for (const { invoiceLineItemId, amount, quantity } of lines) {
    const sum = sums.get(invoiceLineItemId ?? '') ?? { amount: 0, quantity: 0n };
    const units = unitsOfNumber(quantity ?? 0);
    const added = { amount: sum.amount + amount, quantity: sum.quantity + units };
    sums.set(invoiceLineItemId ?? '', added);
  }
  return sums;
}
