import {
  createTaxRate,
  createTaxRateInput,
} from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import {
  updateTaxRate,
  updateTaxRateInput,
} from '#domain/catalog/commands/tax-rates/update-tax-rate.ts';
import { TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { payload } from '../engine/payload.ts';
import { TaxType } from '../shared/invoice-types.ts';
import { CustomerKind } from './tax-rates.ts';
import { TaxCategory } from './taxes.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

const required = {
  name: 'The name on documents, such as GST.',
  taxType: 'The kind of tax; not `none`.',
  ratePercentage:
    'The rate in percent, from 0 to 100 with at most 4 decimal places, such as 8.875.',
  country: 'The country, an ISO 3166-1 code of two capital letters.',
} as const;

/** The fields that narrow a rate. Over REST, too, null is something else than absent. */
const optionalFields = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => {
  const extensions = nullEmpties;
  return {
    state: t.string({
      description: 'The state, province or region, as addresses write it; null for all.',
      extensions,
    }),
    postalPrefix: t.string({
      description: 'The beginning of postal codes; null for all of them.',
      extensions,
    }),
    taxCode: t.string({
      description: 'The tax code of products and usage meters; null for all.',
      extensions,
    }),
    customerKind: t.field({
      type: CustomerKind,
      description: 'The customers to whom it applies; initially `any`.',
    }),
    compound: t.boolean({
      description: 'Whether its base includes the other taxes; initially false.',
    }),
    category: t.field({
      type: TaxCategory,
      description: 'The VAT category; S for a rate above 0, else Z, unless it is given.',
    }),
    reason: t.string({
      description: 'Why there is no tax; documents state it. Required for E, AE, G and O.',
      extensions,
    }),
    validFrom: t.field({
      type: 'Timestamp',
      description: 'The time from which on it applies; null for no beginning.',
      extensions,
    }),
    validUntil: t.field({
      type: 'Timestamp',
      description: 'The time from which on it applies no more; null for no end.',
      extensions,
    }),
  };
};

const CreateTaxRate = builder.inputType('CreateTaxRateInput', {
  description: 'A new tax rate.',
  fields: (t) => ({
    name: t.string({ required: true, description: required.name }),
    taxType: t.field({ type: TaxType, required: true, description: required.taxType }),
    ratePercentage: t.string({ required: true, description: required.ratePercentage }),
    country: t.string({ required: true, description: required.country }),
    ...optionalFields(t),
  }),
});

const UpdateTaxRate = builder.inputType('UpdateTaxRateInput', {
  description: 'Changes to a tax rate; absent fields do not change.',
  fields: (t) => ({
    id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
    name: t.string({ description: required.name }),
    taxType: t.field({ type: TaxType, description: required.taxType }),
    ratePercentage: t.string({ description: required.ratePercentage }),
    country: t.string({ description: required.country }),
    ...optionalFields(t),
  }),
});

builder.mutationFields((t) => ({
  createTaxRate: t.field({
    type: payload('createTaxRate', TaxRate, 'The new tax rate.'),
    description:
      'Creates a tax rate. It applies to later invoices while `taxEngine` of the organization is `rates`. Errors: BAD_REQUEST for a rate that overlaps with another one.',
    args: {
      taxRate: t.arg({ type: CreateTaxRate, required: true, description: 'The tax rate.' }),
    },
    validate: { schema: createTaxRateInput },
    resolve: (_root, args, session) => createTaxRate(session, args),
  }),
  updateTaxRate: t.field({
    type: payload('updateTaxRate', TaxRate, 'The changed tax rate.'),
    description:
      'Changes a tax rate for later invoices; `validUntil` ends it. Errors: NOT_FOUND; BAD_REQUEST for a rate that overlaps with another one.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the tax rate.' }),
      taxRate: t.arg({ type: UpdateTaxRate, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateTaxRateInput },
    resolve: (_root, args, session) => updateTaxRate(session, args),
  }),
}));
