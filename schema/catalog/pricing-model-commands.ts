import {
  createPricingModel,
  createPricingModelInput,
} from '#domain/catalog/commands/pricing-models/create-pricing-model.ts';
import {
  updatePricingModel,
  updatePricingModelInput,
} from '#domain/catalog/commands/pricing-models/update-pricing-model.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { expectedCatalog, expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, optional, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { IntervalUnit } from './prices.ts';
import { documentLists, resourceList } from './pricing-model-documents.ts';

const CreatePricingModel = input('CreatePricingModelInput', {
  description: 'A new pricing model.',
  fields: {
    name: text('The display name.'),
    isDefault: nullable.flag(
      'True makes it the default in place of the present one. When absent, it becomes the default only if there is none yet.',
    ),
  },
});

const UpdatePricingModel = input('UpdatePricingModelInput', {
  description: 'Changes to a pricing model; absent fields do not change.',
  fields: {
    id: repeatedId,
    name: nullable.text('The display name.'),
    isDefault: nullable.flag(
      'True makes it the default in place of the present one; false is not allowed for the default.',
    ),
    ...optional(documentLists),
    resources: resourceList,
  },
});

mutation('createPricingModel', {
  returns: [PricingModel, 'The new pricing model.'],
  description:
    'Creates a pricing model in the API key’s mode, with its free product and price. Errors: BAD_REQUEST for a second live one.',
  args: {
    pricingModel: of(CreatePricingModel, 'The pricing model.'),
    defaultPlanIntervalUnit: nullable.of(
      IntervalUnit,
      'The billing interval of the free price; a single payment when absent.',
    ),
  },
  input: createPricingModelInput,
  command: createPricingModel,
});

mutation('updatePricingModel', {
  returns: [PricingModel, 'The changed pricing model.'],
  description:
    'Renames a pricing model, makes it the default, or replaces its catalog by the four lists of a document. A dry run shows the changes under `catalog`. Errors: NOT_FOUND; BAD_REQUEST for unsetting the default and for each wrong field.',
  args: {
    id: id('The id of the pricing model.'),
    pricingModel: of(UpdatePricingModel, 'The changes.'),
    expectedVersion,
    expectedCatalog,
  },
  input: updatePricingModelInput,
  command: updatePricingModel,
});
