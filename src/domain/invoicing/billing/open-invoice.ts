import { defaultCurrency } from '#domain/catalog/currency.ts';
import type { Taxable } from '#domain/catalog/taxing/tax-engine.ts';
import { taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import type { BilledPart } from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Session } from '#domain/kernel/session.ts';
import { costOf, unitsOfNumber } from '#domain/kernel/values/decimal.ts';
import type { PricePart } from '#domain/model/catalog/cost.ts';
import { amountsOf, type TaxRule, taxLinesOf } from '#domain/model/catalog/tax.ts';
import {
  Invoice,
  type invoicePurposes,
  type invoiceTypes,
} from '#domain/model/invoicing/invoice.ts';
import {
  InvoiceLineItem,
  type invoiceLineItemTypes,
} from '#domain/model/invoicing/invoice-line-item.ts';
import type { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { ReckonedTerm } from '#domain/model/subscriptions/commitment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { type CollectionTerms, dueDateAfter, invoiceTerms } from './collection-terms.ts';
import type { Consolidation } from './consolidate.ts';
import { nextInvoiceNumber } from './number-invoice.ts';

/** One line of an invoice that is to be written. */
export interface Line {
  readonly description: string | null;
  /** It may be a fraction. */
  readonly quantity: number;
  /** Minor units for a quantity of 1; below 0 for a credit or a discount. */
  readonly price: number;
  readonly priceId?: string | null | undefined;
  readonly type?: (typeof invoiceLineItemTypes)[number];
  readonly billingPeriodItemId?: string | null;
  /** The amount, where it differs from price times quantity. */
  readonly amount?: number;
  /** The steps of the amount by the model of the price; absent for a price per unit. */
  readonly priceParts?: readonly PricePart[];
  /** For usage: its ledger, the billed usage, and how many events make one unit. */
  readonly balanceId?: string;
  readonly usageQuantity?: string;
  readonly usageEventsPerUnit?: number;
  /** For a discount: its redemption, and the amount before tax that it reduces. */
  readonly discountRedemptionId?: string;
  readonly discountBase?: number | null;
  /** For a line without a price: the amounts in proportion to which it is taxed. */
  readonly taxedAs?: readonly Taxable[];
  /** For usage and commitments: the parts of the line. */
  readonly parts?: readonly BilledPart[];
  /** For a commitment: the first period of the term, what was reckoned, and the line that it reduces. */
  readonly committedPeriodId?: string;
  readonly commitment?: ReckonedTerm;
  readonly undoneLineItemId?: string | null;
  /** For a one-off charge: its id, and its row. */
  readonly oneOffChargeId?: string;
  readonly charge?: OneOffCharge;
}

interface Heading {
  readonly purpose: (typeof invoicePurposes)[number];
  readonly status: 'draft' | 'open';
  readonly subscription?: Subscription;
  /** The currency of a manual invoice; others have that of their subscription. */
  readonly currency?: string;
  readonly period?: BillingPeriod;
  readonly billingRunId?: string;
  readonly dueDate?: Date | null | undefined;
  readonly memo?: string | null | undefined;
  /** The document that it joins. */
  readonly consolidation?: Consolidation | undefined;
  /** The purchase that it charges for; such an invoice is always charged. */
  readonly purchaseId?: string;
  /** The prepaid credit that it buys. Such an invoice has no tax: the invoices that the credit pays have theirs. */
  readonly prepaidCreditId?: string;
}

/**
 * Writes an invoice for a locked customer, with its number, lines, tax and total. The first one fixes the currency of
 * the customer.
 */
export async function openInvoice(
  session: Session,
  customer: Customer,
  heading: Heading,
  lines: readonly Line[],
): Promise<Invoice> {
  const { em, now } = session;
  const { subscription, period } = heading;
  const currency = subscription?.currency ?? heading.currency ?? (await defaultCurrency(session));
  customer.currency ??= currency;
  const rule = heading.prepaidCreditId
    ? null
    : await taxRuleOf(session, customer, lines.map(taxable));
  const terms = heading.purchaseId ? charged : invoiceTerms(customer, subscription);
  const dueDate = heading.dueDate ?? usualDueDate(now, heading, terms);
  const { collectionMethod } = terms;
  const member = heading.consolidation?.join({
    collectionMethod,
    dueDate: dueDate ?? now,
    currency,
  });
  const invoice = em.create(Invoice, {
    customer,
    type: typeOf(heading),
    purchaseId: heading.purchaseId ?? null,
    prepaidCreditId: heading.prepaidCreditId ?? null,
    purpose: heading.purpose,
    status: heading.status,
    invoiceNumber: member?.invoiceNumber ?? nextInvoiceNumber(customer),
    consolidatedInvoice: member?.document ?? null,
    invoiceDate: now,
    dueDate,
    collectionMethod,
    testClockId: customer.testClockId,
    memo: heading.memo ?? null,
    currency,
    subscription: subscription ?? null,
    billingPeriod: period ?? null,
    billingPeriodStartDate: period?.startDate ?? null,
    billingPeriodEndDate: period?.endDate ?? null,
    billingRunId: heading.billingRunId ?? null,
    ...taxColumns(rule, sumOf(lines)),
    ...amountsOf(sumOf(lines), rule),
  });
  writeLines(session, invoice, lines, rule);
  return invoice;
}

const charged: CollectionTerms = { collectionMethod: 'charge_automatically', daysUntilDue: null };

function typeOf({ purpose, purchaseId }: Heading): (typeof invoiceTypes)[number] {
  if (purchaseId) return 'purchase';
  return purpose === 'manual' ? 'standalone' : 'subscription';
}

/** An invoice that is charged is due at once; a draft that is to be sent has no due date before it is finalized. */
function usualDueDate(now: Date, { status }: Heading, terms: CollectionTerms): Date | null {
  if (terms.collectionMethod !== 'send_invoice') return now;
  return status === 'draft' ? null : dueDateAfter(now, terms);
}

/** The sum of lines, in minor units. */
export const sumOf = (lines: readonly Pick<Line, 'price' | 'quantity' | 'amount'>[]) =>
  lines.reduce((sum, line) => sum + amountOf(line), 0);

/** Price times quantity is exact, and rounded once: half up, with a half away from 0. */
const amountOf = ({ amount, price, quantity }: Pick<Line, 'price' | 'quantity' | 'amount'>) =>
  amount ?? Number(costOf(unitsOfNumber(quantity), price, 1));

/** A line as a tax engine sees it. Discounts, and credits without a price, reduce all lines. */
export function taxable(line: Line): Taxable {
  const { priceId, type, taxedAs } = line;
  const amount = amountOf(line);
  return { amount, priceId, taxedAs, isSpread: type === 'discount' || (amount < 0 && !priceId) };
}

/** Puts lines on an invoice, in their order, with the groups of their taxes where it has several. */
export function writeLines(
  { em }: Session,
  invoice: Invoice,
  lines: readonly Line[],
  rule: TaxRule | null,
) {
  const groups = (rule?.groups?.length ?? 0) > 1 ? (rule?.lineGroups ?? []) : [];
  return lines.map((all, at) => {
    const { priceId, type, billingPeriodItemId, parts: _, taxedAs: __, charge: ___, ...line } = all;
    return em.create(InvoiceLineItem, {
      ...line,
      amount: amountOf(line),
      invoice,
      type: type ?? 'static',
      taxGroup: groups[at] ?? null,
      catalogPrice: priceId ?? null,
      billingPeriodItemId: billingPeriodItemId ?? null,
      customerId: invoice.customerId,
    });
  });
}

/** The columns that keep a rule on an invoice whose lines have this sum. */
export function taxColumns(rule: TaxRule | null, sum: number) {
  const taxLines = rule?.groups ? taxLinesOf(sum, rule) : null;
  return {
    taxType: rule?.taxType ?? null,
    taxRatePercentage: taxLines && taxLines.length > 1 ? null : (rule?.ratePercentage ?? null),
    taxInclusive: rule?.inclusive ?? false,
    taxCountry: rule?.country ?? null,
    taxState: rule?.state ?? null,
    taxLines,
  };
}
