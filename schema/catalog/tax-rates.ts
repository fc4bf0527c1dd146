import { customerKinds, TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { record } from '../engine/types.ts';
import { byEnum, byText, byTime } from '../engine/where.ts';
import { TaxType } from '../shared/invoice-types.ts';
import { TaxCategory } from './taxes.ts';

export const CustomerKind = builder.enumType('CustomerKind', {
  description: 'The customers to whom a tax rate applies.',
  values: described(customerKinds, {
    any: 'All customers.',
    business: 'Customers with a tax id.',
    consumer: 'Customers without a tax id.',
  }),
});

record(TaxRate, {
  description:
    'One tax at one place. Several rates of a place apply together, each as a tax of its own. Of the rates of one tax and area, that which names the tax code applies, then that which names the kind of customer.',
  fields: () => ({
    name: text('The name on documents, such as GST.'),
    taxType: of(TaxType, 'The kind of tax.'),
    ratePercentage: text('The rate in percent, a decimal number from 0 to 100, such as 8.875.'),
    country: text('The country, an ISO 3166-1 code.'),
    state: nullable.text('The state, province or region; null for the whole country.'),
    postalPrefix: nullable.text('The beginning of postal codes; null for all of them.'),
    taxCode: nullable.text('The tax code of products; null for all products.'),
    customerKind: of(CustomerKind, 'The customers to whom it applies.'),
    compound: flag('Whether its base includes the other taxes. Such rates apply last.'),
    category: of(TaxCategory, 'The VAT category.'),
    reason: nullable.text('Why there is no tax, for documents.'),
    validFrom: nullable.time('The time from which on it applies; null without a beginning.'),
    validUntil: nullable.time('The time from which on it applies no more; null without an end.'),
  }),
});

readable({
  one: 'taxRate',
  many: 'taxRates',
  noun: 'tax rate',
  entity: TaxRate,
  where: {
    name: byText('name', 'The name on documents.'),
    country: byText('country', 'The country, an ISO 3166-1 code.'),
    state: byText('state', 'The state, province or region.'),
    taxCode: byText('taxCode', 'The tax code.'),
    taxType: byEnum(TaxType, 'taxType', 'The kind of tax.'),
    validUntil: byTime('validUntil', 'The time from which on it applies no more.'),
  },
  orders: { name: { property: 'name', kind: 'text', words: 'name' } },
});
