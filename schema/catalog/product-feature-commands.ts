import {
  createProductFeature,
  createProductFeatureInput,
} from '#domain/catalog/commands/product-features/create-product-feature.ts';
import {
  expireProductFeature,
  expireProductFeatureInput,
} from '#domain/catalog/commands/product-features/expire-product-feature.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
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

mutation('createProductFeature', {
  returns: [ProductFeature, 'The new grant.'],
  description:
    'Makes a product grant a feature; an expired grant is renewed. Errors: BAD_REQUEST for an unknown product or feature.',
  args: { productFeature: of(CreateProductFeature, 'The grant.') },
  input: createProductFeatureInput,
  command: createProductFeature,
});

mutation('expireProductFeature', {
  returns: ExpireProductFeaturePayload,
  description: 'Expires a grant now; an expired grant is returned unchanged. Errors: NOT_FOUND.',
  args: { id: id('The id of the product feature.') },
  input: expireProductFeatureInput,
  command: async (session, args) => ({
    productFeature: await expireProductFeature(session, args),
  }),
});
