import {
  defaultProductOf,
  productsOf,
  usageMetersOf,
} from '#domain/catalog/commands/pricing-models/pricing-model-contents.ts';
import { defaultPricingModel } from '#domain/catalog/default-pricing-model.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { flag, text } from '../engine/fields.ts';
import { OrganizationRecord } from '../engine/record-interfaces.ts';
import { record } from '../engine/types.ts';

record(PricingModel, {
  description: 'A complete catalog of products and prices of an organization.',
  interfaces: [OrganizationRecord],
  fields: (t) => ({
    name: text('The display name.'),
    isDefault: flag('Whether it is the default of its organization and mode.'),
    products: t.field({
      type: [Product],
      description:
        'The active products with an active price, oldest first, at most 1,000. `productsPage` has all products.',
      resolve: (model, _args, session) => productsOf(session, model),
    }),
    productsPage: listBelow(t, Product, {
      by: 'pricingModelId',
      description: 'The products; visible only to API keys of this pricing model.',
    }),
    usageMeters: t.field({
      type: [UsageMeter],
      description: 'The usage meters, oldest first, at most 1,000. `usageMetersPage` has them all.',
      resolve: (model, _args, session) => usageMetersOf(session, model),
    }),
    usageMetersPage: listBelow(t, UsageMeter, {
      by: 'pricingModelId',
      description: 'The usage meters; visible only to API keys of this pricing model.',
    }),
    defaultProduct: t.field({
      type: Product,
      nullable: true,
      description: 'The free product of new customers; null where there is none.',
      resolve: (model, _args, session) => defaultProductOf(session, model),
    }),
  }),
});

builder.queryField('defaultPricingModel', (t) =>
  t.field({
    type: PricingModel,
    skipTypeScopes: true,
    authScopes: { anyKey: true },
    description:
      'The default pricing model of the API key’s organization and mode. Errors: NOT_FOUND.',
    resolve: (_root, _args, session) => defaultPricingModel(session),
  }),
);
