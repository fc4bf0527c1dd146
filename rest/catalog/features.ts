import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

export const feature = fragment(
  'Feature',
  /* GraphQL */ `
    fragment Feature on Feature {
      id createdAt updatedAt livemode organizationId type slug name description amount usageMeterId
      renewalFrequency per @extra rollover @extra { periods limit percent } pricingModelId resourceId active
    }
  `,
);

export const features = [
  list('/features', 'features', feature),
  get(
    '/features/:id',
    /* GraphQL */ `
      query GetFeature($id: ID!) { feature(id: $id) { ...Feature } }
      ${feature}
    `,
    { versioned: 'feature' },
  ),
  post(
    '/features',
    /* GraphQL */ `
      mutation CreateFeature($feature: CreateFeatureInput!) {
        body: createFeature(feature: $feature) { feature { ...Feature } }
      }
      ${feature}
    `,
    { versioned: 'body.feature' },
  ),
  put(
    '/features/:id',
    /* GraphQL */ `
      mutation UpdateFeature($id: ID!, $feature: UpdateFeatureInput!) {
        body: updateFeature(id: $id, feature: $feature) { feature { ...Feature } }
      }
      ${feature}
    `,
    { versioned: 'body.feature' },
  ),
];
