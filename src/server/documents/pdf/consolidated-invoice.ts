import { moneyText } from '#domain/kernel/values/currencies.ts';
import type { TaxLine } from '#domain/model/catalog/tax.ts';
import type { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import type { Parties } from '#domain/model/platform/parties.ts';
import type { Cells, Content } from './content.ts';
import { type Kind, lineCells, settlementOf } from './invoice.ts';
import { partyLines, transferLines } from './parties.ts';
import { dateOf, taxReasons, taxSums } from './wording.ts';

interface Parts {
  readonly document: ConsolidatedInvoice;
  readonly status: string;
  /** The members that are not void, or all of a document that is void, with their lines. */
  readonly members: readonly Invoice[];
  readonly parties: Parties;
  readonly payments: readonly Payment[];
}

/** The content of a consolidated invoice or its receipt: a section for each member, and the sums of all. */
export function consolidatedContent(kind: Kind, parts: Parts): Content {
  const { document, status, members, parties, payments } = parts;
  const { currency } = document;
  const money = (value: number) => moneyText(value, currency);
  const sumOf = (of: (member: Invoice) => number) =>
    members.reduce((sum, member) => sum + of(member), 0);
  const settled = {
    currency,
    creditApplied: sumOf(({ creditApplied }) => creditApplied),
    prepaidApplied: sumOf(({ prepaidApplied }) => prepaidApplied),
    amountWaived: sumOf(({ amountWaived }) => amountWaived),
    total: sumOf(({ total }) => total),
    isPayable: members.some(({ isPayable }) => isPayable),
  };
  return {
    title: `${kind === 'receipt' ? 'Receipt' : 'Invoice'} ${document.invoiceNumber}`,
    facts: [
      `Date ${dateOf(document.invoiceDate)}`,
      `Due ${dateOf(document.dueDate)}`,
      `Status ${status.replaceAll('_', ' ')}`,
    ],
    introduction: '',
    ...partyLines(parties),
    columns: ['Description', 'Quantity', 'Price', 'Amount'],
    lines: members.flatMap((member) => [headingOf(member), ...lineCells(member)]),
    sums: [
      { text: 'Subtotal', amount: money(sumOf(({ subtotal }) => subtotal)) },
      ...[false, true].flatMap((taxInclusive) => {
        const alike = members.filter((member) => member.taxInclusive === taxInclusive);
        return taxSums({ taxes: mergedTaxes(alike), taxInclusive, currency });
      }),
      { text: 'Total', amount: money(settled.total), isBold: true },
    ],
    settlement: settlementOf(kind, { invoice: settled, payments: wholeCharges(payments) }),
    transfer:
      kind === 'invoice' && settled.isPayable && document.collectionMethod === 'send_invoice'
        ? transferLines(parties, document.invoiceNumber)
        : [],
    closing: { text: taxReasons({ taxes: mergedTaxes(members) }), isGrey: true },
  };
}

/** The row above the lines of a member. */
function headingOf(member: Invoice): Cells {
  const { invoiceNumber, billingPeriodStartDate: from, billingPeriodEndDate: to } = member;
  const period = from && to ? `, ${dateOf(from)} to ${dateOf(to)}` : '';
  return [`${invoiceNumber}${period}`, '', '', moneyText(member.subtotal, member.currency)];
}

/** The taxes of several invoices: those of one name and rate are one. */
function mergedTaxes(members: readonly Invoice[]): TaxLine[] {
  const all = members.flatMap(({ taxes }) => taxes);
  const alike = Map.groupBy(all, ({ name, ratePercentage, category, reason }) =>
    JSON.stringify([name, ratePercentage, category, reason]),
  );
  return [...alike.values()].flatMap(([first, ...others]) =>
    first
      ? {
          ...first,
          base: others.reduce((sum, { base }) => sum + base, first.base),
          amount: others.reduce((sum, { amount }) => sum + amount, first.amount),
        }
      : [],
  );
}

/** The payments of a document as the customer sees them: one for each charge. */
function wholeCharges(payments: readonly Payment[]) {
  return [...Map.groupBy(payments, ({ chargeId }) => chargeId).values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    const sumOf = (of: (payment: Payment) => number) =>
      parts.reduce((sum, payment) => sum + of(payment), 0);
    const { chargeDate, paymentMethod } = first;
    const isReceived = parts.some(({ status }) => ['succeeded', 'refunded'].includes(status));
    return {
      ...{ chargeDate, paymentMethod },
      status: isReceived ? ('succeeded' as const) : first.status,
      amount: sumOf(({ amount }) => amount),
      refundedAmount: sumOf(({ refundedAmount }) => refundedAmount),
      creditedAmount: sumOf(({ creditedAmount }) => creditedAmount),
      netAmount: sumOf(({ netAmount }) => netAmount),
    };
  });
}
