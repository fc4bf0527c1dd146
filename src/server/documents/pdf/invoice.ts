import { moneyText } from '#domain/kernel/values/currencies.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import type { Parties } from '#domain/model/platform/parties.ts';
import type { Cells, Content, Sum } from './content.ts';
import { partyLines, transferLines } from './parties.ts';
import { dateOf, taxReasons, taxSums } from './wording.ts';

/** A document about what is to be paid, or about what was paid. */
export type Kind = 'invoice' | 'receipt';

interface Parts {
  readonly invoice: Invoice;
  readonly parties: Parties;
  readonly payments: readonly Payment[];
}

/** The amounts and payments of one or more invoices. */
interface Settled {
  readonly invoice: Pick<
    Invoice,
    'creditApplied' | 'prepaidApplied' | 'amountWaived' | 'total' | 'currency' | 'isPayable'
  >;
  readonly payments: readonly Pick<
    Payment,
    | 'status'
    | 'chargeDate'
    | 'paymentMethod'
    | 'amount'
    | 'refundedAmount'
    | 'creditedAmount'
    | 'netAmount'
  >[];
}

/** The content of an invoice or its receipt. */
export function invoiceContent(kind: Kind, parts: Parts): Content {
  const { invoice, parties } = parts;
  const { subtotal, total, currency } = invoice;
  const money = (value: number) => moneyText(value, currency);
  return {
    title: `${kind === 'receipt' ? 'Receipt' : 'Invoice'} ${invoice.invoiceNumber}`,
    facts: factsOf(invoice),
    introduction: '',
    ...partyLines(parties),
    columns: ['Description', 'Quantity', 'Price', 'Amount'],
    lines: lineCells(invoice),
    sums: [
      { text: 'Subtotal', amount: money(subtotal) },
      ...taxSums(invoice),
      { text: 'Total', amount: money(total), isBold: true },
    ],
    settlement: settlementOf(kind, parts),
    transfer:
      kind === 'invoice' && invoice.isPayable && invoice.isSent
        ? transferLines(parties, invoice.invoiceNumber)
        : [],
    closing: { text: [taxReasons(invoice), invoice.memo].filter(Boolean).join('\n'), isGrey: true },
  };
}

/** The rows of the lines of an invoice. */
export function lineCells({ lineItems, currency }: Invoice): Cells[] {
  const money = (value: number) => moneyText(value, currency);
  return lineItems
    .getItems()
    .map(({ description, quantity, price, amount }) => [
      description ?? '',
      String(quantity),
      money(price),
      money(amount),
    ]);
}

function factsOf(invoice: Invoice): string[] {
  const { billingPeriodStartDate: from, billingPeriodEndDate: to } = invoice;
  return [
    `Date ${dateOf(invoice.invoiceDate)}`,
    ...(invoice.dueDate ? [`Due ${dateOf(invoice.dueDate)}`] : []),
    ...(from && to ? [`Period ${dateOf(from)} to ${dateOf(to)}`] : []),
    `Status ${invoice.status.replaceAll('_', ' ')}`,
  ];
}

/** The amounts that reduce the amount due. An invoice without any of it states its total only. */
export function settlementOf(kind: Kind, { invoice, payments }: Settled): Sum[] {
  const { creditApplied, prepaidApplied, amountWaived, total, currency, isPayable } = invoice;
  const money = (value: number) => moneyText(value, currency);
  const received = payments.filter(({ status }) => status === 'succeeded' || status === 'refunded');
  const isReduced = creditApplied + amountWaived > 0 || received.length > 0;
  if (kind === 'invoice' && !(isPayable && isReduced)) return [];
  const sums: Sum[] = [];
  if (prepaidApplied > 0) {
    sums.push({ text: 'Paid by prepaid credit', amount: money(prepaidApplied) });
  }
  if (creditApplied > prepaidApplied) {
    const amount = money(creditApplied - prepaidApplied);
    sums.push({ text: 'Paid by the credit balance', amount });
  }
  if (amountWaived > 0) {
    sums.push({ text: 'Written off by credit notes', amount: money(amountWaived) });
  }
  for (const payment of received) {
    const { chargeDate, amount, refundedAmount, creditedAmount, paymentMethod } = payment;
    const method = paymentMethod.replaceAll('_', ' ');
    sums.push({ text: `Paid on ${dateOf(chargeDate)} by ${method}`, amount: money(amount) });
    if (refundedAmount > 0) sums.push({ text: 'Refunded', amount: money(-refundedAmount) });
    if (creditedAmount === 0) continue;
    sums.push({ text: 'Credited to the balance', amount: money(-creditedAmount) });
  }
  if (!isPayable) return sums;
  const paid = payments.reduce((sum, { netAmount }) => sum + netAmount, creditApplied);
  const due = Math.max(0, total - amountWaived - paid);
  return [...sums, { text: 'Amount due', amount: money(due), isBold: true }];
}
