import { expect, test } from 'vitest';
import { isMember } from '#domain/catalog/taxing/european-union.ts';
import { taxIdFault } from '#domain/invoicing/billing/tax-id-input.ts';
import { memberExamples, typedTaxId } from '#domain/invoicing/billing/typed-tax-id.ts';

test('each member state has an example in the form of its numbers', () => {
  const states = Object.keys(memberExamples);
  expect(states.filter(isMember)).toHaveLength(27);
  for (const value of Object.values(memberExamples))
    expect(taxIdFault({ type: 'eu_vat', value }), value).not.toBe('form');
});

test('the country decides the type of a typed number, and its letters may be left out', () => {
  for (const [country, typed, type, value] of [
    ['DE', ' de 123.456.788', 'eu_vat', 'DE123456788'],
    ['DE', '123456788', 'eu_vat', 'DE123456788'],
    ['GR', '094259216', 'eu_vat', 'EL094259216'],
    ['AT', 'u10223006', 'eu_vat', 'ATU10223006'],
    ['GB', '123456782', 'gb_vat', 'GB123456782'],
    ['CH', 'CHE-123.456.789 MWST', 'ch_vat', 'CHE123456789MWST'],
    ['US', '12-3456789', 'us_ein', '123456789'],
    // Companies from elsewhere register in the European Union.
    ['US', 'DE123456788', 'eu_vat', 'DE123456788'],
    ['AE', 'DE123456788', 'eu_vat', 'DE123456788'],
    // The form of other countries is not known.
    ['AE', '100 1234', 'other', '100 1234'],
  ] as const)
    expect(typedTaxId(country, typed), typed).toEqual({ taxId: { type, value } });
});

test('a number of another form or with wrong check digits is refused with an example', () => {
  for (const [country, typed, fault, example] of [
    ['DE', '123456789', 'digits', 'DE123456789'],
    ['DE', 'ATU1', 'form', 'DE123456789'],
    ['NO', 'DE1', 'form', '123456789MVA'],
    ['AE', 'x'.repeat(51), 'form', ''],
    ['AE', 'a\0', 'form', ''],
  ] as const)
    expect(typedTaxId(country, typed), typed).toEqual({ fault, example });
});
