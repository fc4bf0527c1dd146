import type { Invoice } from '#domain/invoices/invoice.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { contentOf, newPdf, type Pdf, page, textsIn } from './pdf-fonts.ts';
import { type ShownParties, writeLogo, writeParties } from './pdf-parties.ts';
import { dateOf, grey, row, rule, taxName } from './pdf-table.ts';

interface Parts {
  readonly invoice: Invoice;
  readonly parties: ShownParties;
  readonly payments: readonly Payment[];
}

/** An invoice or its receipt as PDF, on A4. */
export function renderInvoice(kind: 'invoice' | 'receipt', parts: Parts): Promise<Buffer> {
  const { invoice, parties } = parts;
  const title = `${kind === 'receipt' ? 'Receipt' : 'Invoice'} ${invoice.invoiceNumber}`;
  const { seller, customer } = parties;
  const lines = invoice.lineItems.getItems().map(({ description }) => description);
  const pdf = newPdf(title, textsIn([title, seller, customer, lines, invoice.memo]));
  return contentOf(pdf, () => {
    writeHead(pdf, title, parts);
    writeLines(pdf, invoice);
    writeSums(pdf, invoice);
    writePayments(pdf, kind, parts);
    if (invoice.memo) pdf.moveDown(2).fillColor(grey).text(invoice.memo, page.left);
  });
}

function writeHead(pdf: Pdf, title: string, { invoice, parties }: Parts) {
  writeLogo(pdf, parties.logo);
  pdf.font('Bold').fontSize(20).text(title, page.left, page.top, { width: 320 });
  pdf.font('Regular').fontSize(10).fillColor(grey).moveDown(0.3);
  pdf.text(`Date ${dateOf(invoice.invoiceDate)}`);
  if (invoice.dueDate) pdf.text(`Due ${dateOf(invoice.dueDate)}`);
  const { billingPeriodStartDate: from, billingPeriodEndDate: to } = invoice;
  if (from && to) pdf.text(`Period ${dateOf(from)} to ${dateOf(to)}`);
  pdf.text(`Status ${invoice.status.replaceAll('_', ' ')}`);
  writeParties(pdf, parties);
}

function writeLines(pdf: Pdf, invoice: Invoice) {
  row(pdf, ['Description', 'Quantity', 'Price', 'Amount'], 'Bold');
  rule(pdf);
  for (const { description, quantity, price, amount } of invoice.lineItems) {
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
  row(pdf, ['Total', '', '', moneyText(total, currency)], 'Bold');
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
  row(pdf, ['Amount due', '', '', moneyText(due, currency)], 'Bold');
}
