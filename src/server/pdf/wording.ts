import { moneyText } from '#domain/kernel/currencies.ts';

/** The day of an instant, in UTC. */
export const dateOf = (at: Date) => at.toISOString().slice(0, 10);

/** Taxes with an abbreviation; the others are words, such as «Sales tax». */
const abbreviated = ['gst', 'hst', 'igst', 'jct', 'pst', 'qst', 'rst', 'vat'];

/** The name of a tax as a document writes it. */
function taxName(type: string | null | undefined): string {
  const name = (type ?? 'tax').replaceAll('_', ' ');
  return abbreviated.includes(name)
    ? name.toUpperCase()
    : `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

interface Taxed {
  readonly taxAmount: number;
  readonly taxInclusive: boolean;
  readonly taxType?: string | null | undefined;
  readonly taxRatePercentage?: string | number | null | undefined;
  readonly currency: string;
}

/** The row of the tax, where there is one. */
export function taxSums({ taxAmount, taxInclusive, taxType, taxRatePercentage, currency }: Taxed) {
  if (!taxRatePercentage || taxType === 'none') return [];
  const tax = `${taxName(taxType)} ${taxRatePercentage} %`;
  const text = taxInclusive ? `of which ${tax}` : tax;
  return [{ text, amount: moneyText(taxAmount, currency) }];
}
