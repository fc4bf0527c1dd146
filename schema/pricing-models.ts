import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import {
  defaultProductOf,
  productsOf,
  usageMetersOf,
} from '#domain/pricing-models/pricing-model-contents.ts';
import { Product } from '#domain/products/product.ts';
import { defaultPricingModel } from '#domain/rules/catalog/default-pricing-model.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, readable } from './engine/readable.ts';

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
