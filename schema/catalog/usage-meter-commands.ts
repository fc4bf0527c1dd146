import {
  createUsageMeter,
  createUsageMeterInput,
} from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import {
  updateUsageMeter,
  updateUsageMeterInput,
} from '#domain/catalog/commands/usage-meters/update-usage-meter.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { nullable, text } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
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
    id: nullable.id('The id, repeated; it must equal the id of the request.'),
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

builder.mutationFields((t) => ({
  createUsageMeter: t.field({
    type: payload('createUsageMeter', UsageMeter, 'The new usage meter.'),
    description:
      'Creates a usage meter with its protected no-charge price. Errors: BAD_REQUEST for a taken slug.',
    args: {
      usageMeter: t.arg({
        type: CreateUsageMeter,
        required: true,
        description: 'The usage meter.',
      }),
      price: t.arg({
        type: CreateUsageMeterPrice,
        description: 'The default price, for usage that is charged.',
      }),
    },
    validate: { schema: createUsageMeterInput },
    resolve: (_root, args, session) => createUsageMeter(session, args),
  }),
  updateUsageMeter: t.field({
    type: payload('updateUsageMeter', UsageMeter, 'The changed usage meter.'),
    description:
      'Changes a usage meter; its no-charge price receives a new slug too. Errors: NOT_FOUND; BAD_REQUEST for a taken slug.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the usage meter.' }),
      usageMeter: t.arg({ type: UpdateUsageMeter, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateUsageMeterInput },
    resolve: (_root, args, session) => updateUsageMeter(session, args),
  }),
}));
