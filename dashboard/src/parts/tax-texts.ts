import { wordsOf } from '../../parts/formats.ts';
import type { OneCustomerQuery } from './customer.generated.ts';

type Customer = NonNullable<OneCustomerQuery['customer']>;
type TaxType = NonNullable<Customer['taxType']>;
type TaxIdType = Customer['taxIds'][number]['type'];

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

const choicesOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export const taxTypes = choicesOf(taxNames);
export const taxIdTypes = choicesOf(taxIdNames);

type Tax = Pick<Customer, 'taxType' | 'taxRatePercentage' | 'taxInclusive'>;

/** The tax rule of a customer in words. */
export function taxText({ taxType, taxRatePercentage, taxInclusive }: Tax): string {
  if (!taxType) return 'That of the organization';
  if (taxType === 'none') return taxNames.none;
  const manner = taxInclusive ? 'included in prices' : 'added to prices';
  return `${taxNames[taxType] ?? wordsOf(taxType)} ${taxRatePercentage} %, ${manner}`;
}
