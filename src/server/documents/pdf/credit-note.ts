import { moneyText } from '#domain/kernel/values/currencies.ts';
import type { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import type { Parties } from '#domain/model/platform/parties.ts';
import type { Cells, Content, Sum } from './content.ts';
import { partyLines } from './parties.ts';
import { dateOf, taxReasons, taxSums } from './wording.ts';

/** The content of a credit note. Its parties are those of the invoice that it reduces. */
export function creditNoteContent(note: CreditNote, parties: Parties): Content {
  const { subtotal, total, currency, description } = note;
  const money = (value: number) => moneyText(value, currency);
  const invoice = note.invoice.unwrap();
  const lines = note.lines.getItems();
  // A share of the whole invoice has the description on its line.
  const isShown = description && lines.every((line) => line.description !== description);
  const failed = 'The refund failed: this credit note is without effect';
  return {
    title: `Credit note ${note.creditNoteNumber}`,
    facts: [
      `Date ${dateOf(note.issuedAt)}`,
      `For invoice ${invoice.invoiceNumber} of ${dateOf(invoice.invoiceDate)}`,
      `Reason ${note.reason.replaceAll('_', ' ')}`,
    ],
    introduction: isShown ? description : '',
    ...partyLines(parties),
    columns: ['Description', 'Quantity', 'Tax', 'Amount'],
    lines: lines.map(
      (line): Cells => [
        line.description,
        line.quantity == null ? '' : String(line.quantity),
        money(line.taxAmount),
        money(line.amount),
      ],
    ),
    sums: [
      { text: 'Subtotal', amount: money(subtotal) },
      ...taxSums(note),
      { text: 'Total credited', amount: money(total), isBold: true },
    ],
    settlement: settlementOf(note),
    transfer: [],
    closing: { text: note.status === 'failed' ? failed : taxReasons(note), isGrey: false },
  };
}

/** How the customer gets the amount. A refund in progress has its words before it is executed. */
function settlementOf(note: CreditNote): Sum[] {
  const { creditedAmount, writtenOffAmount, setOffAmount, total, status, currency } = note;
  const refunded =
    status === 'failed' ? 0 : total - creditedAmount - writtenOffAmount - setOffAmount;
  const all: [string, number][] = [
    ['Refunded', refunded],
    ['Credited to your balance', creditedAmount],
    ['Not to be paid any more', writtenOffAmount],
    ['Set off on a later invoice', setOffAmount],
  ];
  return all
    .filter(([, amount]) => amount > 0)
    .map(([text, amount]) => ({ text, amount: moneyText(amount, currency) }));
}
