import { isMember } from '#domain/catalog/taxing/european-union.ts';
import type { TaxId } from '#domain/model/platform/parties.ts';
import { storedTaxId, taxIdExample, taxIdFault, taxIdValueInput } from './tax-id-input.ts';

type KnownType = Exclude<TaxId['type'], 'other'>;

/** The types of the numbers of countries outside of the European Union. */
const types: Readonly<Record<string, KnownType>> = {
  GB: 'gb_vat',
  CH: 'ch_vat',
  LI: 'ch_vat',
  NO: 'no_vat',
  US: 'us_ein',
  CA: 'ca_gst_hst',
  AU: 'au_abn',
  NZ: 'nz_gst',
  IN: 'in_gst',
  JP: 'jp_trn',
  SG: 'sg_gst',
  ZA: 'za_vat',
  BR: 'br_cnpj',
  MX: 'mx_rfc',
};

/** Numbers in the form of each member state. Their check digits need not match. */
export const memberExamples: Readonly<Record<string, string>> = {
  AT: 'ATU12345678',
  BE: 'BE0123456789',
  BG: 'BG123456789',
  CY: 'CY12345678X',
  CZ: 'CZ12345678',
  DE: 'DE123456789',
  DK: 'DK12345678',
  EE: 'EE123456789',
  ES: 'ESX1234567X',
  FI: 'FI12345678',
  FR: 'FR12345678901',
  GR: 'EL123456789',
  HR: 'HR12345678901',
  HU: 'HU12345678',
  IE: 'IE1234567X',
  IT: 'IT12345678901',
  LT: 'LT123456789',
  LU: 'LU12345678',
  LV: 'LV12345678901',
  MT: 'MT12345678',
  NL: 'NL123456789B01',
  PL: 'PL1234567890',
  PT: 'PT123456789',
  RO: 'RO1234567890',
  SE: 'SE123456789001',
  SI: 'SI12345678',
  SK: 'SK1234567890',
};

/** A tax id as a person has typed it, or its fault with a number in the form of the country. */
export type TypedTaxId =
  | { readonly taxId: TaxId }
  | { readonly fault: 'form' | 'digits'; readonly example: string };

/**
 * The tax id that a person in a country has typed, by the rules for the tax ids of customers. The country decides its
 * type; a number of the European Union is taken everywhere, since companies register there from elsewhere. The letters
 * of the country may be left out.
 */
export function typedTaxId(country: string, typed: string): TypedTaxId {
  const type = isMember(country) ? 'eu_vat' : types[country];
  const prefix =
    type === 'eu_vat' ? (country === 'GR' ? 'EL' : country) : type === 'gb_vat' ? 'GB' : '';
  const found = [
    ...(type ? [{ type, value: typed }] : []),
    ...(type && prefix ? [{ type, value: `${prefix}${typed}` }] : []),
    { type: 'eu_vat' as const, value: typed },
  ].map(storedTaxId);
  const taxId = found.find((each) => taxIdFault(each) === null);
  if (taxId) return { taxId };
  if (!type && taxIdValueInput.safeParse(typed).success)
    return { taxId: storedTaxId({ type: 'other', value: typed }) };
  const isDigits = found.some((each) => taxIdFault(each) === 'digits');
  const example = memberExamples[country] ?? (type ? taxIdExample(type) : '');
  return { fault: isDigits ? 'digits' : 'form', example };
}
