import {
  createPricingModel,
  createPricingModelInput,
} from '#domain/pricing-models/create-pricing-model.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import {
  updatePricingModel,
  updatePricingModelInput,
} from '#domain/pricing-models/update-pricing-model.ts';
import { builder } from './engine/builder.ts';
import { IntervalUnit } from './prices.ts';

const CreatePricingModel = builder.inputType('CreatePricingModelInput', {
  description: 'A new pricing model.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name for people.' }),
    isDefault: t.boolean({
      description:
        'True makes it the default in place of the current one; when absent it is, if there is none yet.',
    }),
  }),
});

const UpdatePricingModel = builder.inputType('UpdatePricingModelInput', {
  description: 'Changes to a pricing model; what is absent stays.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    name: t.string({ description: 'The name for people.' }),
    isDefault: t.boolean({
      description:
        'True makes it the default in place of the current one; the default cannot be unset.',
    }),
    features: t.field({
      type: ['JSON'],
      description: 'Refused here: each of them has its own call.',
    }),
    products: t.field({
      type: ['JSON'],
      description: 'Refused here: each of them has its own call.',
    }),
    usageMeters: t.field({
      type: ['JSON'],
      description: 'Refused here: each of them has its own call.',
    }),
    resources: t.field({
      type: ['JSON'],
      description: 'Refused here: each of them has its own call.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createPricingModel: t.field({
    type: PricingModel,
    description:
      'Creates a pricing model in the key’s mode, with its free product and price. Errors: BAD_REQUEST for a second live one.',
    args: {
      pricingModel: t.arg({
        type: CreatePricingModel,
        required: true,
        description: 'The pricing model.',
      }),
      defaultPlanIntervalUnit: t.arg({
        type: IntervalUnit,
        description: 'The billing interval of the free price; paid once when absent.',
      }),
    },
    validate: { schema: createPricingModelInput },
    resolve: (_root, args, session) => createPricingModel(session, args),
  }),
  updatePricingModel: t.field({
    type: PricingModel,
    description:
      'Renames a pricing model or makes it the default. Errors: NOT_FOUND; BAD_REQUEST for unsetting the default.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the pricing model.' }),
      pricingModel: t.arg({
        type: UpdatePricingModel,
        required: true,
        description: 'The changes.',
      }),
    },
    validate: { schema: updatePricingModelInput },
    resolve: (_root, args, session) => updatePricingModel(session, args),
  }),
}));
