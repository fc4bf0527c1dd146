import type { TaxIdType, TaxType } from '../../pages/customers/customer.generated.ts';
import { wordsOf } from './formats.ts';

const taxNames: Readonly<Record<TaxType, string>> = {
  none: 'No tax',
  vat: 'VAT',
  gst: 'GST',
  hst: 'HST',
  igst: 'IGST',
  jct: 'JCT',
  pst: 'PST',
  qst: 'QST',
  rst: 'RST',
  sales_tax: 'Sales tax',
  amusement_tax: 'Amusement tax',
  communications_tax: 'Communications tax',
  lease_tax: 'Lease tax',
};

const taxIdNames: Readonly<Record<TaxIdType, string>> = {
  eu_vat: 'VAT number of the EU',
  gb_vat: 'VAT number of the United Kingdom',
  ch_vat: 'VAT number of Switzerland',
  no_vat: 'VAT number of Norway',
  us_ein: 'EIN of the United States',
  ca_gst_hst: 'GST or HST number of Canada',
  au_abn: 'ABN of Australia',
  nz_gst: 'GST number of New Zealand',
  in_gst: 'GST number of India',
  sg_gst: 'GST number of Singapore',
  jp_trn: 'Registration number of Japan',
  br_cnpj: 'CNPJ of Brazil',
  mx_rfc: 'RFC of Mexico',
  za_vat: 'VAT number of South Africa',
  other: 'Other',
};

const choicesOf = <Value extends string>(names: Readonly<Record<Value, string>>) =>
  Object.entries<string>(names).map(([value, label]) => ({ value: value as Value, label }));

export const taxTypes = choicesOf(taxNames);
export const taxIdTypes = choicesOf(taxIdNames);

/** The name of a kind of tax id. */
export const taxIdName = (type: TaxIdType) => taxIdNames[type] ?? wordsOf(type);

/** The name of a kind of tax. */
export const taxName = (type: TaxType) => taxNames[type] ?? wordsOf(type);

interface Rule {
  readonly taxType: TaxType | null;
  readonly taxRatePercentage: string | null;
  readonly taxInclusive: boolean;
}

/** A tax rule in words; undefined where none is set. */
export function ruleText({ taxType, taxRatePercentage, taxInclusive }: Rule): string | undefined {
  if (!taxType) return undefined;
  if (taxType === 'none') return taxNames.none;
  const manner = taxInclusive ? 'included in prices' : 'added to prices';
  return `${taxName(taxType)} ${taxRatePercentage} %, ${manner}`;
}

/** The name of a country; a code that is none as it is. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(undefined, { type: 'region' }).of(code) ?? code;
}

/** One tax of a document. */
export interface TaxOfDocument {
  readonly name: string;
  readonly ratePercentage: string;
  readonly jurisdiction: string | null;
  readonly compound: boolean;
  readonly category: string;
  readonly reason: string | null;
  readonly base: number;
  readonly amount: number;
}

/** A tax of a document in words, such as "QST 9.975 %, CA-QC". */
function taxLineText({ name, ratePercentage, jurisdiction, category }: TaxOfDocument) {
  const isTaxed = category === 'S' || category === 'Z';
  const rate = isTaxed ? `${name} ${ratePercentage} %` : name;
  return jurisdiction ? `${rate}, ${jurisdiction}` : rate;
}

interface Taxed {
  readonly taxes: readonly TaxOfDocument[];
  readonly taxInclusive: boolean;
}

/** The taxes of a document as names and amounts. */
export const taxRows = (
  { taxes, taxInclusive }: Taxed,
  included: (text: string) => string = (text) => `of which ${text}`,
): (readonly [name: string, amount: number, tax: TaxOfDocument])[] =>
  taxes.map((tax) => {
    const text = taxLineText(tax);
    return [taxInclusive && tax.amount > 0 ? included(text) : text, tax.amount, tax];
  });
