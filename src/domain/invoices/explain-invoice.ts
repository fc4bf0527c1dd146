import { BillingPeriodItem } from '#domain/billing-periods/billing-period-item.ts';
import type { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { explainUsage } from '#domain/rules/invoicing/explain-usage.ts';
import { sumOf } from '#domain/rules/invoicing/open-invoice.ts';
import { taxRuleOn } from '#domain/rules/invoicing/tax-rule.ts';
import type { UsagePart } from '#domain/usage-balances/usage-breakdown.ts';
import { Invoice } from './invoice.ts';
import { amountsOf } from './tax.ts';

/** One line, with the calculation of its amount. */
export interface ExplainedLine {
  readonly lineItem: InvoiceLineItem;
  readonly amount: number;
  /** The arithmetic, step by step, in minor units. */
  readonly steps: readonly string[];
  /** The records behind it. */
  readonly sources: readonly string[];
  /** For usage: the share of each billing period, as recorded at billing; else empty. */
  readonly usage: readonly UsagePart[];
}

export interface ExplainedInvoice {
  readonly invoice: Invoice;
  readonly lines: readonly ExplainedLine[];
  readonly steps: readonly string[];
  readonly paid: number;
  /**
   * Whether the same arithmetic, repeated now, leads to the amounts of the invoice. Usage that was voided after
   * billing is on the line that corrects it, and is no difference.
   */
  readonly verified: boolean;
  /** The differences; empty when it is verified. */
  readonly differences: readonly string[];
}

/**
 * Explains the amounts of an invoice: each line with its price, period and sources, then tax and payments. Everything
 * is recomputed and compared. Errors: NOT_FOUND.
 */
export async function explainInvoice(session: Session, id: string): Promise<ExplainedInvoice> {
  const { em } = session;
  const invoice = await em.findOneOrFail(Invoice, id, { populate: ['lineItems'] });
  const { creditApplied } = invoice;
  const lineItems = invoice.lineItems.getItems();
  const items = await em.find(BillingPeriodItem, {
    id: { $in: lineItems.flatMap(({ billingPeriodItemId }) => billingPeriodItemId ?? []) },
  });
  const itemById = new Map(items.map((item) => [item.id, item]));
  const lines: (ExplainedLine & { differences: readonly string[] })[] = [];
  for (const line of lineItems) {
    lines.push(
      line.type === 'usage'
        ? await explainUsageLine(session, line)
        : explain(line, invoice, itemById.get(line.billingPeriodItemId ?? '')),
    );
  }
  const payments = await em.find(Payment, { invoice: id }, { orderBy: oldestFirst });
  const paid = payments.reduce((sum, { netAmount }) => sum + netAmount, 0);
  const differences = [
    ...lines.flatMap(({ differences }) => differences),
    ...differencesOf(invoice, lineItems),
  ];
  return {
    invoice,
    lines,
    steps: [
      ...stepsOf(invoice, lines),
      ...payments.map(stepOf),
      ...(creditApplied > 0 ? [`paid by the credit balance: ${creditApplied}`] : []),
      ...(invoice.amountCredited > 0
        ? [`credited by credit notes: ${invoice.amountCredited}`]
        : []),
      `still to be paid: ${invoice.total - invoice.amountWaived - creditApplied - paid}`,
    ],
    paid,
    verified: differences.length === 0,
    differences,
  };
}

async function explainUsageLine(session: Session, lineItem: InvoiceLineItem) {
  const { periods, steps, sources, differences } = await explainUsage(session, lineItem);
  const { amount, priceId } = lineItem;
  return {
    lineItem,
    amount,
    steps,
    sources: [...sources, ...(priceId ? [priceId] : [])],
    usage: periods,
    differences,
  };
}

function explain(lineItem: InvoiceLineItem, invoice: Invoice, item: BillingPeriodItem | undefined) {
  const { price, quantity, amount, priceId, billingPeriodItemId } = lineItem;
  const { billingPeriodId, billingPeriodStartDate: from, billingPeriodEndDate: to } = invoice;
  const period = from && to ? [`for ${from.toISOString()} to ${to.toISOString()}`] : ['standalone'];
  const differences =
    item && (item.unitPrice !== price || item.quantity !== quantity)
      ? [`${lineItem.id}: ${item.id} has ${item.unitPrice} × ${item.quantity}`]
      : [];
  return {
    lineItem,
    amount,
    steps: [...period, `${price} × ${quantity} = ${amount}`],
    sources: [billingPeriodId, billingPeriodItemId, item?.subscriptionItemId, priceId].filter(
      (source) => source != null,
    ),
    usage: [],
    differences,
  };
}

function stepsOf(invoice: Invoice, lines: readonly ExplainedLine[]): string[] {
  const { subtotal, taxAmount, taxInclusive, taxRatePercentage, taxType, total } = invoice;
  const sum = `lines: ${lines.map(({ amount }) => amount).join(' + ') || 0} = ${subtotal}`;
  if (!taxRatePercentage || taxType === 'none') return [sum, `total: ${total}`];
  const rate = `${taxType} ${taxRatePercentage} %`;
  return taxInclusive
    ? [
        sum,
        `of which ${rate}: ${subtotal} × ${taxRatePercentage} ÷ (100 + ${taxRatePercentage}), rounded half up = ${taxAmount}`,
        `total: ${total}`,
      ]
    : [
        sum,
        `${rate}: ${subtotal} × ${taxRatePercentage} ÷ 100, rounded half up = ${taxAmount}`,
        `total: ${subtotal} + ${taxAmount} = ${total}`,
      ];
}

const stepOf = ({ id, status, amount, refundedAmount }: Payment) =>
  `${id}: ${amount} ${status}${refundedAmount > 0 ? `, ${refundedAmount} refunded` : ''}`;

function differencesOf(invoice: Invoice, lines: readonly InvoiceLineItem[]): string[] {
  const expected = amountsOf(sumOf(lines), taxRuleOn(invoice));
  return (['subtotal', 'taxAmount', 'total'] as const).flatMap((name) =>
    expected[name] === invoice[name]
      ? []
      : [`${name} is ${invoice[name]} and should be ${expected[name]}`],
  );
}
