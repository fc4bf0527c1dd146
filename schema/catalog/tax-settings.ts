import type { TaxSettings as Settings } from '#domain/catalog/taxing/tax-settings.ts';
import { builder } from '../engine/builder.ts';
import { nullable } from '../engine/fields.ts';
import { TaxType } from '../shared/invoice-types.ts';

/** The tax settings of an organization and of each customer. */
export const TaxSettings = builder.interfaceRef<Settings>('TaxSettings').implement({
  description:
    'The tax rule for invoices. The tax is computed once per invoice and rounded half up to a minor unit. Exclusive tax adds rate/100 of the lines. Inclusive tax is rate/(100 + rate) of the lines.',
  fields: (t) => ({
    taxType: t.expose('taxType', {
      type: TaxType,
      nullable: true,
      description:
        'The kind of tax; `none` for no tax. When null, the organization’s rule applies to the customer as a whole.',
    }),
    taxRatePercentage: t.exposeString('taxRatePercentage', {
      nullable: true,
      description: 'The tax rate in percent, a decimal number from 0 to 100, such as 8.875.',
    }),
    taxInclusive: t.exposeBoolean('taxInclusive', {
      description: 'Whether prices include tax (true) or tax is added to them (false).',
    }),
    taxCountry: t.exposeString('taxCountry', {
      nullable: true,
      description: 'The country where the tax is due, an ISO 3166-1 code.',
    }),
    taxState: t.exposeString('taxState', {
      nullable: true,
      description: 'The state, province or region.',
    }),
  }),
});

/** The same settings as input; absent fields do not change. */
export const taxInputs = {
  taxType: nullable.of(TaxType, 'The kind of tax, with its rate; `none` disables tax.'),
  taxRatePercentage: nullable.text(
    'The tax rate in percent, from 0 to 100 with at most 4 decimal places, such as 8.875.',
  ),
  taxInclusive: nullable.flag('Whether prices include tax (true) or tax is added to them (false).'),
  taxCountry: nullable.text(
    'The country where the tax is due, an ISO 3166-1 code of two capital letters.',
  ),
  taxState: nullable.text('The state, province or region.'),
};
