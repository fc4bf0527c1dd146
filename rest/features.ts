import { fragment } from './engine/fragment.ts';
import { get, list, post, put } from './engine/route.ts';

export const feature = fragment(
  'Feature',
  /* GraphQL */ `
    fragment Feature on Feature {
      id createdAt updatedAt livemode organizationId type slug name description amount usageMeterId
      renewalFrequency rollover { periods limit percent } pricingModelId resourceId active
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
        feature: createFeature(feature: $feature) { ...Feature }
      }
      ${feature}
    `,
    { versioned: 'feature' },
  ),
  put(
    '/features/:id',
    /* GraphQL */ `
      mutation UpdateFeature($id: ID!, $feature: UpdateFeatureInput!) {
        feature: updateFeature(id: $id, feature: $feature) { ...Feature }
      }
      ${feature}
    `,
    { versioned: 'feature' },
  ),
];
