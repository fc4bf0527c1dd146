import PDFDocument from 'pdfkit';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import type { OrganizationSettings } from '#domain/organizations/organization-settings.ts';
import type { Payment } from '#domain/payments/payment.ts';

interface Parts {
  readonly invoice: Invoice;
  readonly organization: OrganizationSettings;
  readonly payments: readonly Payment[];
}

/** The area of a page, in points. */
export const page = { left: 56, right: 539, top: 56, bottom: 760 } as const;
/** The columns of the table of lines. */
export const columns = { quantity: 300, price: 350, amount: 445 } as const;
export const grey = '#666666';

/** An invoice or its receipt as PDF, on A4. */
export async function renderInvoice(kind: 'invoice' | 'receipt', parts: Parts): Promise<Buffer> {
  const { invoice } = parts;
  const title = `${kind === 'receipt' ? 'Receipt' : 'Invoice'} ${invoice.invoiceNumber}`;
  const pdf = new PDFDocument({ size: 'A4', margin: page.left, info: { Title: title } });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.on('end', resolve));
  writeHead(pdf, title, parts);
  writeLines(pdf, invoice);
  writeSums(pdf, invoice);
  writePayments(pdf, kind, parts);
  if (invoice.memo) pdf.moveDown(2).fillColor(grey).text(invoice.memo, page.left);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

export type Pdf = InstanceType<typeof PDFDocument>;

function writeHead(pdf: Pdf, title: string, { invoice, organization }: Parts) {
  const customer = invoice.customer.unwrap();
  pdf.font('Helvetica-Bold').fontSize(20).text(title, page.left, page.top);
  pdf.font('Helvetica').fontSize(10).fillColor(grey).moveDown(0.3);
  pdf.text(`Date ${dateOf(invoice.invoiceDate)}`);
  if (invoice.dueDate) pdf.text(`Due ${dateOf(invoice.dueDate)}`);
  const { billingPeriodStartDate: from, billingPeriodEndDate: to } = invoice;
  if (from && to) pdf.text(`Period ${dateOf(from)} to ${dateOf(to)}`);
  pdf.text(`Status ${invoice.status.replaceAll('_', ' ')}`);
  const top = pdf.y + 18;
  pdf.fillColor('black').font('Helvetica-Bold').text('From', page.left, top);
  pdf.font('Helvetica').text(organization.name, { width: 220 });
  pdf.font('Helvetica-Bold').text('To', columns.quantity, top);
  pdf.font('Helvetica').text(customer.name, { width: 209 }).text(customer.email, { width: 209 });
  pdf.moveDown(2);
}

function writeLines(pdf: Pdf, invoice: Invoice) {
  row(pdf, ['Description', 'Quantity', 'Price', 'Amount'], 'Helvetica-Bold');
  rule(pdf);
  for (const { description, quantity, price, amount } of invoice.lineItems) {
    if (pdf.y > page.bottom) pdf.addPage();
    const money = (value: number) => moneyText(value, invoice.currency);
    row(pdf, [description ?? '', String(quantity), money(price), money(amount)]);
  }
  rule(pdf);
}

function writeSums(pdf: Pdf, invoice: Invoice) {
  const { subtotal, taxAmount, taxInclusive, taxType, taxRatePercentage, total, currency } =
    invoice;
  const tax = `${taxName(taxType)} ${taxRatePercentage ?? ''} %`;
  row(pdf, ['Subtotal', '', '', moneyText(subtotal, currency)]);
  if (taxRatePercentage && taxType !== 'none') {
    row(pdf, [taxInclusive ? `of which ${tax}` : tax, '', '', moneyText(taxAmount, currency)]);
  }
  row(pdf, ['Total', '', '', moneyText(total, currency)], 'Helvetica-Bold');
}

/** Taxes with an abbreviation; the others are words, such as «Sales tax». */
const abbreviated = ['gst', 'hst', 'igst', 'jct', 'pst', 'qst', 'rst', 'vat'];

/** The name of a tax as a document writes it. */
export function taxName(type: string | null | undefined): string {
  const name = (type ?? 'tax').replaceAll('_', ' ');
  return abbreviated.includes(name)
    ? name.toUpperCase()
    : `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** The amounts that reduce the amount due. An invoice without any of it states its total only. */
function writePayments(pdf: Pdf, kind: 'invoice' | 'receipt', { invoice, payments }: Parts) {
  const { creditApplied, amountWaived, total, currency, isPayable } = invoice;
  const received = payments.filter(({ status }) => status === 'succeeded' || status === 'refunded');
  const isReduced = creditApplied + amountWaived > 0 || received.length > 0;
  if (kind === 'invoice' && !(isPayable && isReduced)) return;
  pdf.moveDown(1);
  if (creditApplied > 0) {
    row(pdf, ['Paid by the credit balance', '', '', moneyText(creditApplied, currency)]);
  }
  if (amountWaived > 0) {
    row(pdf, ['Written off by credit notes', '', '', moneyText(amountWaived, currency)]);
  }
  for (const payment of received) {
    const { chargeDate, amount, refundedAmount, creditedAmount, paymentMethod } = payment;
    const method = paymentMethod.replaceAll('_', ' ');
    row(pdf, [
      `Paid on ${dateOf(chargeDate)} by ${method}`,
      '',
      '',
      moneyText(amount, invoice.currency),
    ]);
    if (refundedAmount > 0) {
      row(pdf, ['Refunded', '', '', moneyText(-refundedAmount, invoice.currency)]);
    }
    if (creditedAmount === 0) continue;
    row(pdf, ['Credited to the balance', '', '', moneyText(-creditedAmount, invoice.currency)]);
  }
  if (!isPayable) return;
  const paid = payments.reduce((sum, { netAmount }) => sum + netAmount, creditApplied);
  const due = Math.max(0, total - amountWaived - paid);
  row(pdf, ['Amount due', '', '', moneyText(due, currency)], 'Helvetica-Bold');
}

/** One row of the table of lines. */
export function row(
  pdf: Pdf,
  [text, quantity, price, amount]: readonly string[],
  font = 'Helvetica',
) {
  const { y } = pdf;
  pdf.font(font).fillColor('black').fontSize(10);
  pdf.text(quantity ?? '', columns.quantity, y, { width: 45, align: 'right' });
  pdf.text(price ?? '', columns.price, y, { width: 90, align: 'right' });
  pdf.text(amount ?? '', columns.amount, y, { width: page.right - columns.amount, align: 'right' });
  // Last, because a long text increases the height of the row.
  pdf.text(text ?? '', page.left, y, { width: columns.quantity - page.left - 10 });
  pdf.moveDown(0.4);
}

/** A horizontal line below what is written. */
export function rule(pdf: Pdf) {
  pdf.moveTo(page.left, pdf.y).lineTo(page.right, pdf.y).strokeColor('#cccccc').stroke();
  pdf.moveDown(0.5);
}

/** The day of an instant, in UTC. */
export const dateOf = (at: Date) => at.toISOString().slice(0, 10);
