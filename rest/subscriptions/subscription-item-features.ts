import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { one, post, put } from '../engine/route.ts';

export const subscriptionItemFeature = fragment(/* GraphQL */ `
  fragment SubscriptionItemFeature on SubscriptionItemFeature {
    id createdAt updatedAt livemode subscriptionItemId featureId type manuallyCreated pricingModelId
    name slug productFeatureId amount usageMeterId renewalFrequency expiredAt detachedAt detachedReason
    resourceId
  }
`);

export const subscriptionItemFeatures = [
  one(
    '/subscription-item-features/:id',
    { subscriptionItemFeature },
    { versioned: 'subscriptionItemFeature' },
  ),
  post(
    '/subscription-item-features',
    mutation(
      'createSubscriptionItemFeature',
      '$subscriptionItemFeature: CreateSubscriptionItemFeatureInput!',
      { subscriptionItemFeature },
    ),
    { versioned: 'body.subscriptionItemFeature' },
  ),
  put(
    '/subscription-item-features/:id',
    mutation(
      'updateSubscriptionItemFeature',
      '$id: ID!, $subscriptionItemFeature: UpdateSubscriptionItemFeatureInput!',
      { subscriptionItemFeature },
    ),
    { versioned: 'body.subscriptionItemFeature' },
  ),
  post(
    '/subscription-item-features/:id/expire',
    mutation('expireSubscriptionItemFeature', '$id: ID!, $expiredAt: Timestamp', {
      subscriptionItemFeature,
    }),
    { versioned: 'body.subscriptionItemFeature' },
  ),
];
