import {
  type TaxLine as Line,
  taxCategories,
  taxEngines,
  taxExemptions,
} from '#domain/model/catalog/tax.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, safeInt, text } from '../engine/fields.ts';
import { object } from '../engine/types.ts';
import { TaxType } from '../shared/invoice-types.ts';

export const TaxCategory = builder.enumType('TaxCategory', {
  description: 'The VAT category of EN 16931, a code of UNTDID 5305.',
  values: described(taxCategories, {
    S: 'Taxed at a rate above 0.',
    Z: 'Taxed at a rate of 0.',
    E: 'Exempt from tax.',
    AE: 'Reverse charge: the customer accounts for the tax.',
    G: 'Exported, so free of tax.',
    O: 'Not subject to tax.',
  }),
});

export const TaxEngine = builder.enumType('TaxEngine', {
  description:
    'How the taxes of customers without an exemption or a rule of their own are computed.',
  values: described(taxEngines, {
    rule: 'By the one tax rule of the organization.',
    rates:
      'By the tax rates at the place of the customer, with reverse charge between member states of the European Union. Where no rate applies, the rule of the organization does.',
    service: 'By the tax service of the organization, which is asked before an invoice is written.',
  }),
});

export const TaxExemption = builder.enumType('TaxExemption', {
  description: 'Whether a customer pays tax.',
  values: described(taxExemptions, {
    none: 'The customer pays the tax of its rule or place.',
    exempt: 'The customer is exempt from tax.',
    reverse: 'The customer accounts for VAT itself (reverse charge).',
  }),
});

/** One tax of an invoice, a credit note or an upcoming invoice. */
export const TaxLine = object<Line>('TaxLine')({
  description:
    'One tax of a document. The base times the rate is rounded half up to a minor unit, and the amounts add up to the tax of the document.',
  fields: (t) => ({
    name: text('The name on documents, such as GST.'),
    taxType: of(TaxType, 'The kind of tax.'),
    ratePercentage: text('The rate in percent, a decimal number such as 8.875.'),
    jurisdiction: t.string({
      nullable: true,
      description: 'The country, or the country with its state, such as CA-QC.',
      resolve: ({ country, state }) => (country && state ? `${country}-${state}` : country),
    }),
    country: nullable.text('The country, an ISO 3166-1 code.'),
    state: nullable.text('The state, province or region.'),
    compound: flag('Whether the base includes the taxes before it.'),
    category: of(TaxCategory, 'The VAT category.'),
    reason: nullable.text('Why there is no tax; null for a tax.'),
    base: safeInt('The amount that is taxed, without this tax, in minor units.'),
    amount: safeInt('The tax, in minor units.'),
  }),
});

/** The field with the taxes of a document. */
export const taxesField = {
  type: [TaxLine] as [typeof TaxLine],
  description:
    'The taxes, in the order in which they apply, at most 300 for each tax code. Their amounts add up to `taxAmount`.',
};
