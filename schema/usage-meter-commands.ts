import {
  createUsageMeter,
  createUsageMeterInput,
} from '#domain/usage-meters/create-usage-meter.ts';
import {
  updateUsageMeter,
  updateUsageMeterInput,
} from '#domain/usage-meters/update-usage-meter.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { AggregationType } from './usage-meters.ts';

const CreateUsageMeter = builder.inputType('CreateUsageMeterInput', {
  description: 'A new usage meter.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name for people.' }),
    slug: t.string({
      required: true,
      description: 'The name for programs, unique in the pricing model.',
    }),
    aggregationType: t.field({
      type: AggregationType,
      description: 'How its usage events become one number; `sum` when absent.',
    }),
  }),
});

const CreateUsageMeterPrice = builder.inputType('CreateUsageMeterPriceInput', {
  description: 'The default price of a new usage meter, per month, under the meter’s own slug.',
  fields: (t) => ({
    unitPrice: t.field({
      type: 'SafeInt',
      description: 'Minor units for each unit; 0 when absent.',
    }),
    usageEventsPerUnit: t.field({
      type: 'SafeInt',
      description: 'Usage in one unit; 1 when absent.',
    }),
  }),
});

const UpdateUsageMeter = builder.inputType('UpdateUsageMeterInput', {
  description: 'Changes to a usage meter; what is absent stays.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    name: t.string({ description: 'The name for people.' }),
    slug: t.string({ description: 'The name for programs, unique in the pricing model.' }),
    aggregationType: t.field({
      type: AggregationType,
      description: 'How its usage events become one number.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createUsageMeter: t.field({
    type: UsageMeter,
    description:
      'Adds a usage meter with its protected no-charge price. Errors: BAD_REQUEST for a taken slug.',
    args: {
      usageMeter: t.arg({
        type: CreateUsageMeter,
        required: true,
        description: 'The usage meter.',
      }),
      price: t.arg({
        type: CreateUsageMeterPrice,
        description: 'Its default price, if usage is charged.',
      }),
    },
    validate: { schema: createUsageMeterInput },
    resolve: (_root, args, session) => createUsageMeter(session, args),
  }),
  updateUsageMeter: t.field({
    type: UsageMeter,
    description:
      'Changes a usage meter; its no-charge price follows a new slug. Errors: NOT_FOUND; BAD_REQUEST for a taken slug.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the usage meter.' }),
      usageMeter: t.arg({ type: UpdateUsageMeter, required: true, description: 'The changes.' }),
    },
    validate: { schema: updateUsageMeterInput },
    resolve: (_root, args, session) => updateUsageMeter(session, args),
  }),
}));
