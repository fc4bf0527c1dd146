import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

export const feature = fragment(/* GraphQL */ `
  fragment Feature on Feature {
    id createdAt updatedAt livemode organizationId type slug name description amount usageMeterId
    renewalFrequency per @extra rollover @extra { periods limit percent } pricingModelId resourceId active
  }
`);

export const features = [
  list('/features', 'features', feature),
  one('/features/:id', { feature }, { versioned: 'feature' }),
  post('/features', mutation('createFeature', '$feature: CreateFeatureInput!', { feature }), {
    versioned: 'body.feature',
  }),
  put(
    '/features/:id',
    mutation('updateFeature', '$id: ID!, $feature: UpdateFeatureInput!', { feature }),
    { versioned: 'body.feature' },
  ),
];
