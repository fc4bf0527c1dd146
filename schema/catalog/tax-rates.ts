import { customerKinds, TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
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

builder.node(TaxRate, {
  name: 'TaxRate',
  description:
    'One tax at one place. Several rates of a place apply together, each as a tax of its own. Of the rates of one tax and area, that which names the tax code applies, then that which names the kind of customer.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('tax_rate'),
  loadOne: loadOne(TaxRate),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name on documents, such as GST.' }),
    taxType: t.expose('taxType', { type: TaxType, description: 'The kind of tax.' }),
    ratePercentage: t.exposeString('ratePercentage', {
      description: 'The rate in percent, a decimal number from 0 to 100, such as 8.875.',
    }),
    country: t.exposeString('country', { description: 'The country, an ISO 3166-1 code.' }),
    state: t.exposeString('state', {
      nullable: true,
      description: 'The state, province or region; null for the whole country.',
    }),
    postalPrefix: t.exposeString('postalPrefix', {
      nullable: true,
      description: 'The beginning of postal codes; null for all of them.',
    }),
    taxCode: t.exposeString('taxCode', {
      nullable: true,
      description: 'The tax code of products; null for all products.',
    }),
    customerKind: t.expose('customerKind', {
      type: CustomerKind,
      description: 'The customers to whom it applies.',
    }),
    compound: t.exposeBoolean('compound', {
      description: 'Whether its base includes the other taxes. Such rates apply last.',
    }),
    category: t.expose('category', { type: TaxCategory, description: 'The VAT category.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why there is no tax, for documents.',
    }),
    validFrom: t.expose('validFrom', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time from which on it applies; null without a beginning.',
    }),
    validUntil: t.expose('validUntil', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time from which on it applies no more; null without an end.',
    }),
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
