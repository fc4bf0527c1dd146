import { Feature } from '#domain/model/catalog/feature.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { byId, byPresence } from '../engine/where.ts';

builder.node(ProductFeature, {
  name: 'ProductFeature',
  description: 'The grant of a feature by a product, until it expires.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('product_feature'),
  loadOne: loadOne(ProductFeature),
  fields: (t) => ({
    productId: t.exposeID('productId', { description: 'The product that grants the feature.' }),
    featureId: t.exposeID('featureId', { description: 'The granted feature.' }),
    expiredAt: t.expose('expiredAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The time when the grant expires or expired for new subscriptions; null without an end.',
    }),
    product: t.field({
      type: Product,
      description: 'The product that grants the feature.',
      resolve: ({ product }) => product.loadOrFail(),
    }),
    feature: t.field({
      type: Feature,
      description: 'The granted feature.',
      resolve: ({ feature }) => feature.loadOrFail(),
    }),
  }),
});

readable({
  one: 'productFeature',
  many: 'productFeatures',
  noun: 'product feature',
  entity: ProductFeature,
  catalog: true,
  where: {
    product: byId('product', 'The product.'),
    feature: byId('feature', 'The feature.'),
    expired: byPresence('expiredAt', 'Ended (true) or in effect (false).'),
  },
});
