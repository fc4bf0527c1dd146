import {
  createProductFeature,
  createProductFeatureInput,
} from '#domain/catalog/commands/product-features/create-product-feature.ts';
import {
  expireProductFeature,
  expireProductFeatureInput,
} from '#domain/catalog/commands/product-features/expire-product-feature.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { builder } from '../engine/builder.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
import { input, object } from '../engine/types.ts';

const CreateProductFeature = input('CreateProductFeatureInput', {
  description: 'A new grant of a feature by a product.',
  fields: {
    productId: id('The product that grants the feature.'),
    featureId: id('The feature to grant.'),
    expiredAt: nullable.time('The time when the grant expires; never when absent.'),
  },
});

const ExpireProductFeaturePayload = object<{ productFeature: ProductFeature }>(
  'ExpireProductFeaturePayload',
)({
  description: 'An expired grant.',
  fields: (t) => ({
    productFeature: of(ProductFeature, 'The grant.'),
    success: t.boolean({
      description: 'Always true; a failure is an error.',
      resolve: () => true,
    }),
  }),
});

builder.mutationFields((t) => ({
  createProductFeature: t.field({
    type: payload('createProductFeature', ProductFeature, 'The new grant.'),
    description:
      'Makes a product grant a feature; an expired grant is renewed. Errors: BAD_REQUEST for an unknown product or feature.',
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
    description: 'Expires a grant now; an expired grant is returned unchanged. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the product feature.' }) },
    validate: { schema: expireProductFeatureInput },
    resolve: async (_root, args, session) => ({
      productFeature: await expireProductFeature(session, args),
    }),
  }),
}));
