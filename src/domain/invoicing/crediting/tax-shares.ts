import { halfUp } from '#domain/kernel/values/decimal.ts';
import { type Amounts, amountsOf, type TaxRule } from '#domain/model/catalog/tax.ts';

/** The amounts of an invoice, and of its credit notes so far. */
export interface Creditable {
  readonly subtotal: number;
  readonly taxAmount: number;
  readonly taxInclusive: boolean;
  readonly total: number;
  readonly amountCredited: number;
  readonly taxCredited: number;
}

/**
 * The amounts of the next credit note with this total. Its tax is the tax of all credit notes with it, rounded half up
 * once, less the tax of those before. So the shares of any parts of an invoice add up to its tax exactly.
 */
export function shareOfTotal(invoice: Creditable, rule: TaxRule | null, total: number): Amounts {
  const { amountCredited, taxCredited, taxAmount } = invoice;
  const upTo = taxWithin(amountCredited + total, rule);
  return withTax(invoice, total, clamped(upTo - taxCredited, leastTax(invoice, total), taxAmount));
}

/** The tax shares of lines, each with its amount in the terms of the invoice's lines, and their amounts together. */
export function shareOfLines(
  invoice: Creditable,
  rule: TaxRule | null,
  lines: readonly number[],
): { readonly shares: number[]; readonly amounts: Amounts } {
  const { amountCredited, taxCredited, taxAmount, taxInclusive } = invoice;
  const before = amountCredited - (taxInclusive ? 0 : taxCredited);
  let credited = before;
  let taxed = taxCredited;
  const shares = lines.map((amount) => {
    credited += amount;
    const upTo = clamped(amountsOf(credited, rule).taxAmount, 0, taxAmount);
    const share = upTo - taxed;
    taxed = upTo;
    return share;
  });
  const subtotal = credited - before;
  const tax = taxed - taxCredited;
  if (tax >= 0) {
    return {
      shares,
      amounts: { subtotal, taxAmount: tax, total: subtotal + (taxInclusive ? 0 : tax) },
    };
  }
  // Credit notes before it were rounded up by more than this one amounts to.
  return { shares: shares.map(() => 0), amounts: { subtotal, taxAmount: 0, total: subtotal } };
}

/** The tax that an amount contains. For a total of an invoice it is exactly the tax of that invoice. */
function taxWithin(total: number, rule: TaxRule | null): number {
  if (!rule) return 0;
  return amountsOf(total, { ...rule, inclusive: true }).taxAmount;
}

/** The least tax of a credit note, such that its subtotal does not exceed the rest of the invoice's. */
function leastTax(invoice: Creditable, total: number): number {
  const { subtotal, taxInclusive, amountCredited, taxCredited } = invoice;
  if (taxInclusive) return 0;
  return Math.max(0, total - (subtotal - (amountCredited - taxCredited)));
}

const withTax = (
  { taxInclusive, taxAmount, taxCredited }: Creditable,
  total: number,
  tax: number,
): Amounts => {
  const share = Math.min(tax, total, taxAmount - taxCredited);
  return { subtotal: total - (taxInclusive ? 0 : share), taxAmount: share, total };
};

const clamped = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), Math.max(least, most));

/** A part of an amount, in proportion to its quantity, rounded half up. The whole quantity is the whole amount. */
export const amountOfQuantity = (amount: number, quantity: bigint, whole: bigint): number =>
  halfUp(BigInt(amount) * quantity, whole);
