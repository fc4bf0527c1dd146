import { isDeepStrictEqual } from 'node:util';
import { explainOneOff } from '#domain/invoicing/billing/one-off-lines.ts';
import { sumOf } from '#domain/invoicing/billing/open-invoice.ts';
import { taxRuleOn } from '#domain/invoicing/crediting/tax-rule.ts';
import { explainCommitment } from '#domain/invoicing/explaining/explain-commitment.ts';
import { explainDiscount } from '#domain/invoicing/explaining/explain-discount.ts';
import { explainPrepaid } from '#domain/invoicing/explaining/explain-prepaid.ts';
import { explainUsage } from '#domain/invoicing/explaining/explain-usage.ts';
import { priceSteps } from '#domain/invoicing/explaining/price-steps.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { costOfItem } from '#domain/model/catalog/cost.ts';
import { amountsOf, type TaxLine } from '#domain/model/catalog/tax.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { UsagePart } from '#domain/model/invoicing/usage-breakdown.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { BillingPeriodItem } from '#domain/model/subscriptions/billing-period-item.ts';
import { explainCharge } from '#domain/subscriptions/adjusting/explain-charge.ts';

/** One line, with the calculation of its amount. */
export interface ExplainedLine {
  readonly lineItem: InvoiceLineItem;
  readonly amount: number;
  /** The arithmetic, step by step, with amounts in the currency. */
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
  const { creditApplied, prepaidApplied } = invoice;
  const money = moneyIn(invoice);
  const lineItems = invoice.lineItems.getItems();
  const items = await em.find(BillingPeriodItem, {
    id: { $in: lineItems.flatMap(({ billingPeriodItemId }) => billingPeriodItemId ?? []) },
  });
  const itemById = new Map(items.map((item) => [item.id, item]));
  const lines: (ExplainedLine & { differences: readonly string[] })[] = [];
  for (const line of lineItems) {
    lines.push(
      line.type === 'usage'
        ? await explainUsageLine(session, line, invoice)
        : line.type === 'discount'
          ? await explainDiscount(session, line, invoice)
          : line.type === 'commitment'
            ? explainCommitment(line, money)
            : line.type === 'one_off'
              ? explainOneOff(line, money)
              : invoice.purpose === 'adjustment'
                ? await explainAdjustment(session, line, invoice)
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
      ...payments.map((payment) => stepOf(payment, money)),
      ...(await explainPrepaid(session, invoice, money)),
      ...(creditApplied > prepaidApplied
        ? [`paid by the credit balance: ${money(creditApplied - prepaidApplied)}`]
        : []),
      ...(invoice.amountCredited > 0
        ? [`credited by credit notes: ${money(invoice.amountCredited)}`]
        : []),
      `still to be paid: ${money(invoice.total - invoice.amountWaived - creditApplied - paid)}`,
    ],
    paid,
    verified: differences.length === 0,
    differences,
  };
}

/** Amounts of an invoice, for people. */
type Money = (amount: number) => string;
const moneyIn =
  ({ currency }: Invoice): Money =>
  (amount) =>
    moneyText(amount, currency);

async function explainUsageLine(session: Session, lineItem: InvoiceLineItem, invoice: Invoice) {
  const explained = await explainUsage(session, lineItem, moneyIn(invoice));
  const { periods, steps, sources, differences } = explained;
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

async function explainAdjustment(session: Session, lineItem: InvoiceLineItem, invoice: Invoice) {
  const { steps, differences } = await explainCharge(session, invoice);
  const line = explain(lineItem, invoice, undefined);
  const [period = '', ...rest] = line.steps;
  const discount = lineItem.amount - invoice.subtotal;
  const money = moneyIn(invoice);
  const listed = `before the discount: ${money(invoice.subtotal)} + ${money(discount)} = ${money(lineItem.amount)}`;
  const before = steps.length > 0 && discount > 0 ? [listed] : [];
  return { ...line, steps: [period, ...steps, ...before, ...rest], differences };
}

function explain(lineItem: InvoiceLineItem, invoice: Invoice, item: BillingPeriodItem | undefined) {
  const { price, quantity, amount, priceId, billingPeriodItemId } = lineItem;
  const { billingPeriodId, billingPeriodStartDate: from, billingPeriodEndDate: to } = invoice;
  const period = from && to ? [`for ${from.toISOString()} to ${to.toISOString()}`] : ['standalone'];
  const money = moneyIn(invoice);
  const rounded = Number.isInteger(quantity) ? '' : ', rounded half up';
  const { priceParts } = lineItem;
  const steps = priceParts
    ? priceSteps(priceParts, money)
    : [`${money(price)} × ${quantity}${rounded} = ${money(amount)}`];
  const differences = item ? differencesFrom(item, lineItem, money) : [];
  return {
    lineItem,
    amount,
    steps: [...period, ...steps],
    sources: [billingPeriodId, billingPeriodItemId, item?.subscriptionItemId, priceId].filter(
      (source) => source != null,
    ),
    usage: [],
    differences,
  };
}

/** The differences between a line and the item of the period, whose amount is computed again. */
function differencesFrom(item: BillingPeriodItem, line: InvoiceLineItem, money: Money): string[] {
  const { id, price, quantity, amount } = line;
  if (!item.pricing) {
    return item.unitPrice === price && item.quantity === quantity
      ? []
      : [`${id}: ${item.id} has ${money(item.unitPrice)} × ${item.quantity}`];
  }
  const cost = costOfItem(item);
  return cost.amount === amount && isDeepStrictEqual(cost.parts, line.priceParts)
    ? []
    : [`${id}: ${item.id} amounts to ${money(cost.amount)}`];
}

function stepsOf(invoice: Invoice, lines: readonly ExplainedLine[]): string[] {
  const { subtotal, taxAmount, taxInclusive, taxRatePercentage, taxType, total } = invoice;
  const money = moneyIn(invoice);
  const amounts = lines.map(({ amount }) => money(amount)).join(' + ') || money(0);
  const [net, tax, due] = [money(subtotal), money(taxAmount), money(total)];
  const sum = `lines: ${amounts} = ${net}`;
  if (invoice.taxLines) {
    return [sum, ...taxSteps(invoice.taxLines, taxInclusive, money), `total: ${due}`];
  }
  if (!taxRatePercentage || taxType === 'none') return [sum, `total: ${due}`];
  const rate = `${taxType} ${taxRatePercentage} %`;
  return taxInclusive
    ? [
        sum,
        `of which ${rate}: ${net} × ${taxRatePercentage} ÷ (100 + ${taxRatePercentage}), rounded half up = ${tax}`,
        `total: ${due}`,
      ]
    : [
        sum,
        `${rate}: ${net} × ${taxRatePercentage} ÷ 100, rounded half up = ${tax}`,
        `total: ${net} + ${tax} = ${due}`,
      ];
}

/** The arithmetic of each tax. */
function taxSteps(taxes: readonly TaxLine[], isInclusive: boolean, money: Money): string[] {
  return taxes.map(({ name, ratePercentage, base, amount, reason, compound }) => {
    if (reason) return `${name} on ${money(base)}: ${money(amount)} (${reason})`;
    const on = compound ? `${money(base)} with the taxes before it` : money(base);
    return isInclusive
      ? `of which ${name} ${ratePercentage} %: ${money(amount)}, and ${on} without it`
      : `${name} ${ratePercentage} %: ${on} × ${ratePercentage} ÷ 100, rounded half up = ${money(amount)}`;
  });
}

function stepOf(
  { id, status, amount, refundedAmount, creditedAmount, reversedAmount }: Payment,
  money: Money,
) {
  const isReversed = status === 'canceled' && reversedAmount > 0;
  const parts = [
    `${id}: ${money(amount)} ${isReversed ? 'reversed' : status}`,
    ...(refundedAmount > 0 ? [`${money(refundedAmount)} refunded`] : []),
    ...(creditedAmount > 0 ? [`${money(creditedAmount)} credited to the customer`] : []),
    ...(reversedAmount > 0 && !isReversed ? [`${money(reversedAmount)} lost in a dispute`] : []),
  ];
  return parts.join(', ');
}

function differencesOf(invoice: Invoice, lines: readonly InvoiceLineItem[]): string[] {
  const expected = amountsOf(sumOf(lines), taxRuleOn(invoice));
  const money = moneyIn(invoice);
  return (['subtotal', 'taxAmount', 'total'] as const).flatMap((name) =>
    expected[name] === invoice[name]
      ? []
      : [`${name} is ${money(invoice[name])} and should be ${money(expected[name])}`],
  );
}
