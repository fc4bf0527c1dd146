import { Feature } from '#domain/features/feature.ts';
import { ProductFeature } from '#domain/product-features/product-feature.ts';
import { Product } from '#domain/products/product.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

builder.node(ProductFeature, {
  name: 'ProductFeature',
  description: 'That a product grants a feature, until it expires.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`product_feature_…`' },
  loadOne: (id, { em }) => em.findOne(ProductFeature, id),
  fields: (t) => ({
    productId: t.exposeID('productId', { description: 'The product that grants.' }),
    featureId: t.exposeID('featureId', { description: 'The feature that is granted.' }),
    expiredAt: t.expose('expiredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it ends or has ended for new subscriptions; null while it does not.',
    }),
    product: t.field({
      type: Product,
      description: 'The product that grants.',
      resolve: ({ product }) => product.loadOrFail(),
    }),
    feature: t.field({
      type: Feature,
      description: 'The feature that is granted.',
      resolve: ({ feature }) => feature.loadOrFail(),
    }),
  }),
});

const ProductFeatureFilter = builder.inputType('ProductFeatureFilter', {
  description: 'Which product features to list.',
  fields: (t) => ({
    product: t.id({ description: 'Of the product with this id.' }),
    feature: t.id({ description: 'Of the feature with this id.' }),
  }),
});

readable({
  one: 'productFeature',
  many: 'productFeatures',
  noun: 'product feature',
  entity: ProductFeature,
  filter: ProductFeatureFilter,
  catalog: true,
});
