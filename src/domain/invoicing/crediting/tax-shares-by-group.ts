import { proportion } from '#domain/kernel/values/decimal.ts';
import {
  type Amounts,
  spread,
  sumOfTaxes,
  type TaxLine,
  type TaxRule,
  taxesOf,
} from '#domain/model/catalog/tax.ts';
import type { TaxCredited } from '#domain/model/invoicing/invoice.ts';
import type { Creditable } from './tax-shares.ts';

/** An invoice with a list of taxes, and the parts of them that credit notes have credited. */
export interface TaxedCreditable extends Creditable {
  readonly taxLines: readonly TaxLine[];
  readonly taxesCredited?: readonly TaxCredited[] | null | undefined;
}

/** The amounts of a credit note, the tax of each of its lines, and each tax with its base. */
export interface RevertedTaxes {
  readonly amounts: Amounts;
  readonly shares: readonly number[];
  readonly taxLines: readonly TaxLine[];
  /** The credited parts with this credit note. */
  readonly taxesCredited: readonly TaxCredited[];
}

/** A line of a credit note, and the group of its taxes; null where it is spread over the groups. */
export interface GroupedLine {
  readonly amount: number;
  readonly taxGroup?: number | null | undefined;
}

/**
 * The taxes of the next credit note with this total: the tax in proportion to the total, and each tax and base in
 * proportion to its rest. So the credit notes of a whole invoice revert each of its taxes exactly.
 */
export function revertTotal(invoice: TaxedCreditable, total: number): RevertedTaxes {
  const { taxLines, taxInclusive, taxAmount, taxCredited, amountCredited, subtotal } = invoice;
  const before = creditedOf(invoice);
  const upTo = proportion(taxAmount, amountCredited + total, invoice.total);
  const rest = subtotal - (amountCredited - (taxInclusive ? 0 : taxCredited));
  const least = taxInclusive ? 0 : Math.max(0, total - rest);
  const most = Math.min(total, taxAmount - taxCredited);
  const tax = Math.min(Math.max(upTo - taxCredited, least), most);
  const lines = total - (taxInclusive ? 0 : tax);
  const parts = spread(lines, weightsOf(invoice));
  const rests = taxLines.map(({ amount }, at) => amount - (before[at]?.amount ?? 0));
  const amounts = spread(tax, rests);
  const after = before.map((part, at) => ({
    lines: part.lines + (parts[taxLines[at]?.group ?? 0] ?? 0),
    amount: part.amount + (amounts[at] ?? 0),
  }));
  return reverted(invoice, { before, after, lines, shares: [tax] });
}

/**
 * The taxes of the next credit note for lines. The tax of each group is that of all its credited lines, less that of earlier
 * credit notes. It is rounded as on the invoice, and at most that of the invoice.
 */
export function revertLines(
  invoice: TaxedCreditable,
  rule: TaxRule,
  lines: readonly GroupedLine[],
): RevertedTaxes {
  const { taxLines } = invoice;
  const before = creditedOf(invoice);
  const weights = weightsOf(invoice);
  let after = before;
  const shares = lines.map(({ amount, taxGroup }) => {
    const parts = taxGroup == null ? spread(amount, weights) : weights.map(() => 0);
    if (taxGroup != null) parts[taxGroup] = amount;
    const last = after;
    after = taxLines.map((tax, at) => {
      const upTo = (last[at]?.lines ?? 0) + (parts[tax.group] ?? 0);
      const all = taxesOf(upTo, ratesOf(rule, tax.group), rule.inclusive);
      const within = taxLines.slice(0, at).filter(({ group }) => group === tax.group).length;
      return { lines: upTo, amount: Math.min(Math.max(0, all[within] ?? 0), tax.amount) };
    });
    return sumOfTaxes(after) - sumOfTaxes(last);
  });
  const sum = lines.reduce((all, { amount }) => all + amount, 0);
  const isLess = sumOfTaxes(after) < sumOfTaxes(before);
  if (!isLess) return reverted(invoice, { before, after, lines: sum, shares });
  // Credit notes before it were rounded up by more than this one amounts to.
  const kept = after.map(({ lines }, at) => ({ lines, amount: before[at]?.amount ?? 0 }));
  return reverted(invoice, { before, after: kept, lines: sum, shares: shares.map(() => 0) });
}

const ratesOf = ({ groups = [] }: TaxRule, group: number) => groups[group]?.rates ?? [];

const creditedOf = ({ taxLines, taxesCredited }: TaxedCreditable): readonly TaxCredited[] =>
  taxesCredited ?? taxLines.map(() => ({ lines: 0, amount: 0 }));

/** The amount of the lines of the group of a tax of a credit note. */
export function linesOfTax(
  note: {
    readonly taxLines?: readonly TaxLine[] | null | undefined;
    readonly taxInclusive: boolean;
  },
  at: number,
): number {
  const taxLines = note.taxLines ?? [];
  return weightsOf({ taxLines, taxInclusive: note.taxInclusive })[taxLines[at]?.group ?? 0] ?? 0;
}

/** The amounts of the lines of each group. */
function weightsOf({
  taxLines,
  taxInclusive,
}: Pick<TaxedCreditable, 'taxLines' | 'taxInclusive'>): number[] {
  const weights: number[] = [];
  for (const { group, base, amount } of taxLines) {
    weights[group] = (weights[group] ?? base) + (taxInclusive ? amount : 0);
  }
  return weights;
}

interface Parts {
  readonly before: readonly TaxCredited[];
  readonly after: readonly TaxCredited[];
  readonly lines: number;
  readonly shares: readonly number[];
}

function reverted(
  invoice: TaxedCreditable,
  { before, after, lines, shares }: Parts,
): RevertedTaxes {
  const { taxLines, taxInclusive } = invoice;
  const amountAt = (at: number) => (after[at]?.amount ?? 0) - (before[at]?.amount ?? 0);
  const notes = taxLines.map((tax, at) => {
    const own = (after[at]?.lines ?? 0) - (before[at]?.lines ?? 0);
    const sumOf = (others: readonly TaxLine[]) =>
      others.reduce(
        (sum, other) => sum + (other.group === tax.group ? amountAt(taxLines.indexOf(other)) : 0),
        0,
      );
    const net = own - (taxInclusive ? sumOf(taxLines) : 0);
    const base = net + (tax.compound ? sumOf(taxLines.slice(0, at)) : 0);
    return { ...tax, base, amount: amountAt(at) };
  });
  const taxAmount = sumOfTaxes(notes);
  const total = lines + (taxInclusive ? 0 : taxAmount);
  return {
    amounts: { subtotal: lines, taxAmount, total },
    shares,
    taxLines: notes,
    taxesCredited: after,
  };
}
