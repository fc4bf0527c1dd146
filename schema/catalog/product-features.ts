import { Feature } from '#domain/model/catalog/feature.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { id, nullable } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { record } from '../engine/types.ts';
import { byId, byPresence } from '../engine/where.ts';

record(ProductFeature, {
  description: 'The grant of a feature by a product, until it expires.',
  fields: (t) => ({
    productId: id('The product that grants the feature.'),
    featureId: id('The granted feature.'),
    expiredAt: nullable.time(
      'The time when the grant expires or expired for new subscriptions; null without an end.',
    ),
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
