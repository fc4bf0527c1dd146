import type { CreditNote } from '#domain/credit-notes/credit-note.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import { contentOf, newPdf, type Pdf, page, textsIn } from './pdf-fonts.ts';
import { type ShownParties, writeLogo, writeParties } from './pdf-parties.ts';
import { dateOf, grey, row, rule, taxName } from './pdf-table.ts';

/** A credit note as PDF, on A4. Its parties are those of the invoice that it reduces. */
export function renderCreditNote(note: CreditNote, parties: ShownParties): Promise<Buffer> {
  const title = `Credit note ${note.creditNoteNumber}`;
  const { seller, customer } = parties;
  const lines = note.lines.getItems().map(({ description }) => description);
  const pdf = newPdf(title, textsIn([title, seller, customer, lines, note.description]));
  return contentOf(pdf, () => {
    writeHead(pdf, title, note, parties);
    writeLines(pdf, note);
    writeSums(pdf, note);
    writeSettlement(pdf, note);
  });
}

function writeHead(pdf: Pdf, title: string, note: CreditNote, parties: ShownParties) {
  const invoice = note.invoice.unwrap();
  writeLogo(pdf, parties.logo);
  pdf.font('Bold').fontSize(20).text(title, page.left, page.top, { width: 320 });
  pdf.font('Regular').fontSize(10).fillColor(grey).moveDown(0.3);
  pdf.text(`Date ${dateOf(note.issuedAt)}`);
  pdf.text(`For invoice ${invoice.invoiceNumber} of ${dateOf(invoice.invoiceDate)}`);
  pdf.text(`Reason ${note.reason.replaceAll('_', ' ')}`);
  const { description } = note;
  // A share of the whole invoice has the description on its line.
  const isShown =
    description && note.lines.getItems().every((line) => line.description !== description);
  if (isShown) pdf.text(description, { width: page.right - page.left });
  writeParties(pdf, parties);
}

function writeLines(pdf: Pdf, { lines, currency }: CreditNote) {
  row(pdf, ['Description', 'Quantity', 'Tax', 'Amount'], 'Bold');
  rule(pdf);
  for (const { description, quantity, taxAmount, amount } of lines) {
    const money = (value: number) => moneyText(value, currency);
    row(pdf, [
      description,
      quantity == null ? '' : String(quantity),
      money(taxAmount),
      money(amount),
    ]);
  }
  rule(pdf);
}

function writeSums(pdf: Pdf, note: CreditNote) {
  const { subtotal, taxAmount, taxInclusive, taxType, taxRatePercentage, total, currency } = note;
  const tax = `${taxName(taxType)} ${taxRatePercentage ?? ''} %`;
  row(pdf, ['Subtotal', '', '', moneyText(subtotal, currency)]);
  if (taxRatePercentage && taxType !== 'none') {
    row(pdf, [taxInclusive ? `of which ${tax}` : tax, '', '', moneyText(taxAmount, currency)]);
  }
  row(pdf, ['Total credited', '', '', moneyText(total, currency)], 'Bold');
}

/** How the customer gets the amount. A refund in progress has its words before it is executed. */
function writeSettlement(pdf: Pdf, note: CreditNote) {
  const { creditedAmount, writtenOffAmount, setOffAmount, total, status, currency } = note;
  const refunded =
    status === 'failed' ? 0 : total - creditedAmount - writtenOffAmount - setOffAmount;
  pdf.moveDown(1);
  for (const [text, amount] of [
    ['Refunded', refunded],
    ['Credited to your balance', creditedAmount],
    ['Not to be paid any more', writtenOffAmount],
    ['Set off on a later invoice', setOffAmount],
  ] as const) {
    if (amount > 0) row(pdf, [text, '', '', moneyText(amount, currency)]);
  }
  if (status === 'failed')
    pdf.text('The refund failed: this credit note is without effect', page.left);
}
