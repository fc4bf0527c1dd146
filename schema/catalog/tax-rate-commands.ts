import {
  createTaxRate,
  createTaxRateInput,
} from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import {
  updateTaxRate,
  updateTaxRateInput,
} from '#domain/catalog/commands/tax-rates/update-tax-rate.ts';
import { TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { id, nullable, of, optional, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { TaxType } from '../shared/invoice-types.ts';
import { CustomerKind } from './tax-rates.ts';
import { TaxCategory } from './taxes.ts';

/** The fields that narrow a rate. Over REST, too, null is something else than absent. */
const narrowing = {
  state: nullable.text(
    'The state, province or region, as addresses write it; null for all.',
    nullEmpties,
  ),
  postalPrefix: nullable.text('The beginning of postal codes; null for all of them.', nullEmpties),
  taxCode: nullable.text('The tax code of products and usage meters; null for all.', nullEmpties),
  customerKind: nullable.of(CustomerKind, 'The customers to whom it applies; initially `any`.'),
  compound: nullable.flag('Whether its base includes the other taxes; initially false.'),
  category: nullable.of(
    TaxCategory,
    'The VAT category; S for a rate above 0, else Z, unless it is given.',
  ),
  reason: nullable.text(
    'Why there is no tax; documents state it. Required for E, AE, G and O.',
    nullEmpties,
  ),
  validFrom: nullable.time(
    'The time from which on it applies; null for no beginning.',
    nullEmpties,
  ),
  validUntil: nullable.time(
    'The time from which on it applies no more; null for no end.',
    nullEmpties,
  ),
};

/** The fields that every rate has. */
const rate = {
  name: text('The name on documents, such as GST.'),
  taxType: of(TaxType, 'The kind of tax; not `none`.'),
  ratePercentage: text(
    'The rate in percent, from 0 to 100 with at most 4 decimal places, such as 8.875.',
  ),
  country: text('The country, an ISO 3166-1 code of two capital letters.'),
};

const CreateTaxRate = input('CreateTaxRateInput', {
  description: 'A new tax rate.',
  fields: { ...rate, ...narrowing },
});

const UpdateTaxRate = input('UpdateTaxRateInput', {
  description: 'Changes to a tax rate; absent fields do not change.',
  fields: { id: repeatedId, ...optional(rate), ...narrowing },
});

mutation('createTaxRate', {
  returns: [TaxRate, 'The new tax rate.'],
  description:
    'Creates a tax rate. It applies to later invoices while `taxEngine` of the organization is `rates`. Errors: BAD_REQUEST for a rate that overlaps with another one.',
  args: { taxRate: of(CreateTaxRate, 'The tax rate.') },
  input: createTaxRateInput,
  command: createTaxRate,
});

mutation('updateTaxRate', {
  returns: [TaxRate, 'The changed tax rate.'],
  description:
    'Changes a tax rate for later invoices; `validUntil` ends it. Errors: NOT_FOUND; BAD_REQUEST for a rate that overlaps with another one.',
  args: {
    id: id('The id of the tax rate.'),
    taxRate: of(UpdateTaxRate, 'The changes.'),
    expectedVersion,
  },
  input: updateTaxRateInput,
  command: updateTaxRate,
});
