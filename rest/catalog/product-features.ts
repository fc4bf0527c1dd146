import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';

const productFeature = fragment(/* GraphQL */ `
  fragment ProductFeature on ProductFeature {
    id createdAt updatedAt livemode productId featureId organizationId expiredAt pricingModelId
  }
`);

export const productFeatures = [
  list('/product-features', 'productFeatures', productFeature),
  one('/product-features/:id', { productFeature }),
  post(
    '/product-features',
    mutation('createProductFeature', '$productFeature: CreateProductFeatureInput!', {
      productFeature,
    }),
  ),
  post(
    '/product-features/:id/expire',
    /* GraphQL */ `
      mutation ExpireProductFeature($id: ID!) {
        body: expireProductFeature(id: $id) { success }
      }
    `,
  ),
];
