import {
  createPricingModel,
  createPricingModelInput,
} from '#domain/pricing-models/create-pricing-model.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import {
  defaultProductOf,
  productsOf,
  usageMetersOf,
} from '#domain/pricing-models/pricing-model-contents.ts';
import {
  updatePricingModel,
  updatePricingModelInput,
} from '#domain/pricing-models/update-pricing-model.ts';
import { Product } from '#domain/products/product.ts';
import { defaultPricingModel } from '#domain/rules/catalog/default-pricing-model.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, readable } from './engine/records.ts';
import { IntervalUnit } from './prices.ts';

builder.node(PricingModel, {
  name: 'PricingModel',
  description: 'A complete set of what an organization sells, at which prices.',
  interfaces: [OrganizationRecord],
  id: { resolve: ({ id }) => id, description: '`pricing_model_…`' },
  loadOne: (id, { em }) => em.findOne(PricingModel, id),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name for people.' }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether it is the default of its organization and mode.',
    }),
    products: t.field({
      type: [Product],
      description:
        'What it sells: active products with an active price, oldest first. Only a key of this very model sees them.',
      resolve: (model, _args, session) => productsOf(session, model),
    }),
    usageMeters: t.field({
      type: [UsageMeter],
      description: 'Its usage meters, oldest first. Only a key of this very model sees them.',
      resolve: (model, _args, session) => usageMetersOf(session, model),
    }),
    defaultProduct: t.field({
      type: Product,
      nullable: true,
      description:
        'The free product that new customers start on; null but for a key of this very model.',
      resolve: (model, _args, session) => defaultProductOf(session, model),
    }),
  }),
});

const PricingModelFilter = builder.inputType('PricingModelFilter', {
  description: 'Which pricing models to list.',
  fields: (t) => ({
    isDefault: t.boolean({ description: 'The default (true) or the others.' }),
    name: t.string({ description: 'With this name.' }),
  }),
});

readable({
  one: 'pricingModel',
  many: 'pricingModels',
  noun: 'pricing model',
  entity: PricingModel,
  filter: PricingModelFilter,
  catalog: true,
});

builder.queryField('defaultPricingModel', (t) =>
  t.field({
    type: PricingModel,
    skipTypeScopes: true,
    authScopes: { anyKey: true },
    description: 'The default pricing model of the key’s organization and mode. Errors: NOT_FOUND.',
    resolve: (_root, _args, session) => defaultPricingModel(session),
  }),
);

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
