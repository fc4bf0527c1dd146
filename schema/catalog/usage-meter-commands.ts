import {
  createUsageMeter,
  createUsageMeterInput,
} from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import {
  updateUsageMeter,
  updateUsageMeterInput,
} from '#domain/catalog/commands/usage-meters/update-usage-meter.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { id, nullable, of, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { AggregationType } from './usage-meters.ts';

const CreateUsageMeter = input('CreateUsageMeterInput', {
  description: 'A new usage meter.',
  fields: {
    name: text('The display name.'),
    slug: text('The slug, unique in the pricing model.'),
    aggregationType: nullable.of(
      AggregationType,
      'The aggregation of usage events into one number; `sum` when absent.',
    ),
    taxCode: nullable.text('The tax code of its usage, which tax rates name.'),
  },
});

const CreateUsageMeterPrice = input('CreateUsageMeterPriceInput', {
  extensions: { repeats: { type: 'usage' } },
  description: 'The default price of a new usage meter, per month, with the meter’s slug.',
  fields: {
    unitPrice: nullable.safeInt('The price of one unit, in minor units; 0 when absent.'),
    usageEventsPerUnit: nullable.safeInt('The usage that makes up one unit; 1 when absent.'),
    currency: nullable.text('The currency, an ISO 4217 code; the organization’s when absent.'),
  },
});

const UpdateUsageMeter = input('UpdateUsageMeterInput', {
  description: 'Changes to a usage meter; absent fields do not change.',
  fields: {
    id: repeatedId,
    name: nullable.text('The display name.'),
    slug: nullable.text('The slug, unique in the pricing model.'),
    aggregationType: nullable.of(
      AggregationType,
      'The aggregation of usage events into one number.',
    ),
    taxCode: nullable.text(
      'The tax code of its usage, which tax rates name; null removes it.',
      nullEmpties,
    ),
  },
});

mutation('createUsageMeter', {
  returns: [UsageMeter, 'The new usage meter.'],
  description:
    'Creates a usage meter with its protected no-charge price. Errors: BAD_REQUEST for a taken slug.',
  args: {
    usageMeter: of(CreateUsageMeter, 'The usage meter.'),
    price: nullable.of(CreateUsageMeterPrice, 'The default price, for usage that is charged.'),
  },
  input: createUsageMeterInput,
  command: createUsageMeter,
});

mutation('updateUsageMeter', {
  returns: [UsageMeter, 'The changed usage meter.'],
  description:
    'Changes a usage meter; its no-charge price receives a new slug too. Errors: NOT_FOUND; BAD_REQUEST for a taken slug.',
  args: {
    id: id('The id of the usage meter.'),
    usageMeter: of(UpdateUsageMeter, 'The changes.'),
    expectedVersion,
  },
  input: updateUsageMeterInput,
  command: updateUsageMeter,
});
