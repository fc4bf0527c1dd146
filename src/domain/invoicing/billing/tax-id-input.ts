import { checkVAT, countries } from 'jsvat-next';
import { z } from 'zod';
import { keptText } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { type TaxId, taxIdTypes } from '#domain/model/platform/parties.ts';

/** The most tax ids that a company has here. */
export const mostTaxIds = 5;

interface Form {
  readonly pattern: RegExp;
  readonly example: string;
}

/** The numbers of the member states, which share a prefix of the country. Northern Ireland has XI, Greece EL. */
const euVat =
  /^(ATU\d{8}|BE[01]\d{9}|BG\d{9,10}|CY\d{8}[A-Z]|CZ\d{8,10}|DE\d{9}|DK\d{8}|EE\d{9}|EL\d{9}|ES[0-9A-Z]\d{7}[0-9A-Z]|FI\d{8}|FR[0-9A-Z]{2}\d{9}|HR\d{11}|HU\d{8}|IE\d[0-9A-Z+*]\d{5}[A-Z]{1,2}|IT\d{11}|LT(\d{9}|\d{12})|LU\d{8}|LV\d{11}|MT\d{8}|NL\d{9}B\d{2}|PL\d{10}|PT\d{9}|RO\d{2,10}|SE\d{12}|SI\d{8}|SK\d{10}|XI(\d{9}|\d{12}|GD\d{3}|HA\d{3}))$/;

const forms: Readonly<Record<Exclude<TaxId['type'], 'other'>, Form>> = {
  eu_vat: { pattern: euVat, example: 'DE123456788' },
  gb_vat: { pattern: /^GB(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, example: 'GB123456782' },
  ch_vat: { pattern: /^CHE\d{9}(MWST|TVA|IVA)?$/, example: 'CHE-123.456.789 MWST' },
  no_vat: { pattern: /^\d{9}MVA$/, example: '123456789MVA' },
  us_ein: { pattern: /^\d{9}$/, example: '12-3456789' },
  ca_gst_hst: { pattern: /^\d{9}RT\d{4}$/, example: '123456789RT0002' },
  au_abn: { pattern: /^\d{11}$/, example: '51 824 753 556' },
  nz_gst: { pattern: /^\d{8,9}$/, example: '123-456-789' },
  in_gst: { pattern: /^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/, example: '12ABCDE3456F1Z5' },
  jp_trn: { pattern: /^T\d{13}$/, example: 'T1234567890123' },
  sg_gst: {
    pattern: /^(M\d{8}[A-Z]|\d{8,9}[A-Z]|[A-Z]\d{2}[A-Z]{2}\d{4}[A-Z])$/,
    example: 'M12345678X',
  },
  za_vat: { pattern: /^4\d{9}$/, example: '4123456789' },
  br_cnpj: { pattern: /^[0-9A-Z]{12}\d{2}$/, example: '01.234.456/5432-10' },
  mx_rfc: { pattern: /^[A-ZÑ&]{3,4}\d{6}[0-9A-Z]{3}$/, example: 'ABC010203AB9' },
};

/** Separators that people write into a number. */
const separators = /[\s.\-/]/g;

/** A number in its shortest form: capital letters, without separators. */
const shortest = (value: string) => value.replace(separators, '').toUpperCase();

const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19] as const;

/** Whether the two check digits of an Australian Business Number match. */
const isAbn = (value: string) =>
  abnWeights.reduce((sum, weight, place) => {
    const digit = Number(value[place]) - (place === 0 ? 1 : 0);
    return sum + digit * weight;
  }, 0) %
    89 ===
  0;

/** The numbers whose check digits a library knows. */
const vatTypes: readonly TaxId['type'][] = ['eu_vat', 'gb_vat'];

/** Whether the check digits of a number match. */
function isChecked({ type, value }: TaxId): boolean {
  if (type === 'au_abn') return isAbn(value);
  // The library knows the numbers of Northern Ireland by the prefix of Great Britain, which has the same numbers.
  const known = value.replace(/^XI/, 'GB');
  return !vatTypes.includes(type) || checkVAT(known, countries).isValid;
}

/** Hints for prefixes that people write, though numbers of the type have others. */
const hints: readonly (readonly [type: TaxId['type'], prefix: RegExp, hint: string])[] = [
  ['eu_vat', /^GR/, 'numbers of Greece begin with EL'],
  [
    'eu_vat',
    /^GB/,
    'numbers of Great Britain have the type gb_vat, those of Northern Ireland begin with XI',
  ],
  ['eu_vat', /^CHE/, 'numbers of Switzerland have the type ch_vat'],
  [
    'eu_vat',
    /^(EU|IM)/,
    'numbers of the One Stop Shop are no VAT numbers of a company: give the type other',
  ],
  ['gb_vat', /^XI/, 'numbers of Northern Ireland have the type eu_vat'],
];

/** The fault of a number: its form or its check digits; null without one. */
export function taxIdFault({ type, value }: TaxId): 'form' | 'digits' | null {
  if (type === 'other') return null;
  if (!forms[type].pattern.test(value)) return 'form';
  return isChecked({ type, value }) ? null : 'digits';
}

/** A number of a type as it is stored: in capital letters without separators, unless the type is not known. */
export const storedTaxId = ({ type, value }: TaxId): TaxId => ({
  type,
  value: type === 'other' ? value : shortest(value),
});

/** A number of a type, as an example. */
export const taxIdExample = (type: Exclude<TaxId['type'], 'other'>): string => forms[type].example;

/** The value of a tax id. */
export const taxIdValueInput = keptText(50).trim().min(1);

const taxIdInput = z
  .object({ type: z.enum(taxIdTypes), value: taxIdValueInput })
  .transform(storedTaxId)
  .superRefine(({ type, value }, context) => {
    const fault = taxIdFault({ type, value });
    if (type === 'other' || !fault) return;
    const message =
      fault === 'digits'
        ? 'has check digits that do not match: compare it with the document of the tax authority'
        : `is not a number of the type ${type}, such as ${forms[type].example}${hintFor(type, value)}`;
    context.addIssue({ code: 'custom', path: ['value'], message });
  });

function hintFor(type: TaxId['type'], value: string): string {
  const hint = hints.find(([of, prefix]) => of === type && prefix.test(value))?.[2];
  return hint ? `: ${hint}` : '';
}

/** The tax ids of a company: each type and number once. */
export const taxIdsInput = listInput(taxIdInput, mostTaxIds).refine(
  (ids) => new Set(ids.map(({ type, value }) => `${type} ${value}`)).size === ids.length,
  'names a tax id twice',
);
