import { Feature } from '#domain/features/feature.ts';
import {
  createProductFeature,
  createProductFeatureInput,
} from '#domain/product-features/create-product-feature.ts';
import {
  expireProductFeature,
  expireProductFeatureInput,
} from '#domain/product-features/expire-product-feature.ts';
import { ProductFeature } from '#domain/product-features/product-feature.ts';
import { Product } from '#domain/products/product.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/records.ts';

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

const CreateProductFeature = builder.inputType('CreateProductFeatureInput', {
  description: 'Which product grants which feature.',
  fields: (t) => ({
    productId: t.id({ required: true, description: 'The product that grants.' }),
    featureId: t.id({ required: true, description: 'The feature to grant.' }),
    expiredAt: t.field({ type: 'Timestamp', description: 'When it ends; never when absent.' }),
  }),
});

const ExpireProductFeaturePayload = builder
  .objectRef<{ productFeature: ProductFeature }>('ExpireProductFeaturePayload')
  .implement({
    description: 'An ended grant.',
    fields: (t) => ({
      productFeature: t.expose('productFeature', {
        type: ProductFeature,
        description: 'The grant.',
      }),
      success: t.boolean({
        description: 'Always true: a failure is an error.',
        resolve: () => true,
      }),
    }),
  });

builder.mutationFields((t) => ({
  createProductFeature: t.field({
    type: ProductFeature,
    description:
      'Lets a product grant a feature; an expired grant is renewed. Errors: BAD_REQUEST for an unknown product or feature, or a toggle on a product that is paid for once.',
    args: {
      productFeature: t.arg({
        type: CreateProductFeature,
        required: true,
        description: 'The grant.',
      }),
    },
    validate: { schema: createProductFeatureInput },
    resolve: (_root, args, session) => createProductFeature(session, args),
  }),
  expireProductFeature: t.field({
    type: ExpireProductFeaturePayload,
    description: 'Ends a grant now; one that has ended stays as it was. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the product feature.' }) },
    validate: { schema: expireProductFeatureInput },
    resolve: async (_root, args, session) => ({
      productFeature: await expireProductFeature(session, args),
    }),
  }),
}));
