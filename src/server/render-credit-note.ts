import PDFDocument from 'pdfkit';
import type { CreditNote } from '#domain/credit-notes/credit-note.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import type { OrganizationSettings } from '#domain/organizations/organization-settings.ts';
import { columns, dateOf, grey, type Pdf, page, row, rule, taxName } from './render-invoice.ts';

/** A credit note as PDF, on A4. */
export async function renderCreditNote(
  note: CreditNote,
  organization: OrganizationSettings,
): Promise<Buffer> {
  const title = `Credit note ${note.creditNoteNumber}`;
  const pdf = new PDFDocument({ size: 'A4', margin: page.left, info: { Title: title } });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.on('end', resolve));
  writeHead(pdf, title, note, organization);
  writeLines(pdf, note);
  writeSums(pdf, note);
  writeSettlement(pdf, note);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function writeHead(pdf: Pdf, title: string, note: CreditNote, { name }: OrganizationSettings) {
  const [customer, invoice] = [note.customer.unwrap(), note.invoice.unwrap()];
  pdf.font('Helvetica-Bold').fontSize(20).text(title, page.left, page.top);
  pdf.font('Helvetica').fontSize(10).fillColor(grey).moveDown(0.3);
  pdf.text(`Date ${dateOf(note.issuedAt)}`);
  pdf.text(`For invoice ${invoice.invoiceNumber} of ${dateOf(invoice.invoiceDate)}`);
  pdf.text(`Reason ${note.reason.replaceAll('_', ' ')}`);
  const { description } = note;
  // A share of the whole invoice has the description on its line.
  const isShown =
    description && note.lines.getItems().every((line) => line.description !== description);
  if (isShown) pdf.text(description, { width: page.right - page.left });
  const top = pdf.y + 18;
  pdf.fillColor('black').font('Helvetica-Bold').text('From', page.left, top);
  pdf.font('Helvetica').text(name, { width: 220 });
  const left = pdf.y;
  pdf.font('Helvetica-Bold').text('To', columns.quantity, top);
  pdf.font('Helvetica').text(customer.name, { width: 209 }).text(customer.email, { width: 209 });
  pdf.y = Math.max(left, pdf.y);
  pdf.moveDown(2);
}

function writeLines(pdf: Pdf, { lines, currency }: CreditNote) {
  row(pdf, ['Description', 'Quantity', 'Tax', 'Amount'], 'Helvetica-Bold');
  rule(pdf);
  for (const { description, quantity, taxAmount, amount } of lines) {
    if (pdf.y > page.bottom) pdf.addPage();
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
  row(pdf, ['Total credited', '', '', moneyText(total, currency)], 'Helvetica-Bold');
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
