import {
  createProductFeature,
  createProductFeatureInput,
} from '#domain/product-features/create-product-feature.ts';
import {
  expireProductFeature,
  expireProductFeatureInput,
} from '#domain/product-features/expire-product-feature.ts';
import { ProductFeature } from '#domain/product-features/product-feature.ts';
import { builder } from './engine/builder.ts';

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
