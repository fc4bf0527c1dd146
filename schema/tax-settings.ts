import type { TaxSettings as Settings } from '#domain/rules/invoicing/tax-input.ts';
import { builder } from './engine/builder.ts';
import { TaxType } from './invoices.ts';

/** What an organization and each of its customers say of tax. */
export const TaxSettings = builder.interfaceRef<Settings>('TaxSettings').implement({
  description:
    'How invoices are taxed, worked out once for each invoice and rounded half up to a minor unit: rate/100 of its lines on top of them or, where prices contain the tax, rate/(100 + rate) of its lines as a part of them.',
  fields: (t) => ({
    taxType: t.expose('taxType', {
      type: TaxType,
      nullable: true,
      description:
        'Which tax; none for no tax at all. Where a customer has null, the organization’s rule holds as a whole.',
    }),
    taxRatePercentage: t.exposeString('taxRatePercentage', {
      nullable: true,
      description: 'A decimal number from 0 to 100, such as 8.875.',
    }),
    taxInclusive: t.exposeBoolean('taxInclusive', {
      description: 'Whether prices contain the tax (true) or it comes on top of them.',
    }),
    taxCountry: t.exposeString('taxCountry', {
      nullable: true,
      description: 'Where the tax is owed: ISO 3166-1.',
    }),
    taxState: t.exposeString('taxState', { nullable: true, description: 'Where in the country.' }),
  }),
});

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** The same as input; what is absent stays. */
export const taxInputs = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => ({
  taxType: t.field({
    type: TaxType,
    description: 'Which tax, with its rate; none switches it off.',
  }),
  taxRatePercentage: t.string({
    description: 'A decimal number from 0 to 100 with up to four places, such as 8.875.',
  }),
  taxInclusive: t.boolean({
    description: 'Whether prices contain the tax (true) or it comes on top of them.',
  }),
  taxCountry: t.string({ description: 'Where it is owed: two capital letters, ISO 3166-1.' }),
  taxState: t.string({ description: 'Where in the country.' }),
});
