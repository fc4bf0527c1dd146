import type { TaxLine, TaxRule } from './tax.ts';

/** Taxes with an abbreviation; the others are words, such as «Sales tax». */
const abbreviated = ['gst', 'hst', 'igst', 'jct', 'pst', 'qst', 'rst', 'vat'];

/** The name of a kind of tax as a document writes it. */
function taxName(type: string | null | undefined): string {
  const name = (type ?? 'tax').replaceAll('_', ' ');
  return abbreviated.includes(name)
    ? name.toUpperCase()
    : `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

interface Taxed {
  readonly subtotal: number;
  readonly taxAmount: number;
  readonly taxInclusive: boolean;
  readonly taxType?: TaxRule['taxType'] | null | undefined;
  readonly taxRatePercentage?: string | null | undefined;
  readonly taxCountry?: string | null | undefined;
  readonly taxState?: string | null | undefined;
}

/** The taxes of a document whose columns state its only rate; empty without tax. */
export function onlyTax(document: Taxed): TaxLine[] {
  const { subtotal, taxAmount: amount, taxInclusive, taxType, taxRatePercentage } = document;
  if (!taxType || taxType === 'none' || !taxRatePercentage) return [];
  return [
    {
      name: taxName(taxType),
      taxType,
      ratePercentage: taxRatePercentage,
      country: document.taxCountry ?? null,
      state: document.taxState ?? null,
      compound: false,
      category: Number(taxRatePercentage) > 0 ? 'S' : 'Z',
      reason: null,
      group: 0,
      base: subtotal - (taxInclusive ? amount : 0),
      amount,
    },
  ];
}
