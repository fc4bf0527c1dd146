import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

const productFeature = fragment(
  'ProductFeature',
  /* GraphQL */ `
    fragment ProductFeature on ProductFeature {
      id createdAt updatedAt livemode productId featureId organizationId expiredAt pricingModelId
    }
  `,
);

export const productFeatures = [
  list('/product-features', 'productFeatures', productFeature),
  get(
    '/product-features/:id',
    /* GraphQL */ `
      query GetProductFeature($id: ID!) { productFeature(id: $id) { ...ProductFeature } }
      ${productFeature}
    `,
  ),
  post(
    '/product-features',
    /* GraphQL */ `
      mutation CreateProductFeature($productFeature: CreateProductFeatureInput!) {
        body: createProductFeature(productFeature: $productFeature) { productFeature { ...ProductFeature } }
      }
      ${productFeature}
    `,
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
