import { fragment } from '../engine/fragment.ts';
import { get, post, put } from '../engine/route.ts';

export const subscriptionItemFeature = fragment(
  'SubscriptionItemFeature',
  /* GraphQL */ `
    fragment SubscriptionItemFeature on SubscriptionItemFeature {
      id createdAt updatedAt livemode subscriptionItemId featureId type manuallyCreated pricingModelId
      name slug productFeatureId amount usageMeterId renewalFrequency expiredAt detachedAt detachedReason
      resourceId
    }
  `,
);

export const subscriptionItemFeatures = [
  get(
    '/subscription-item-features/:id',
    /* GraphQL */ `
      query GetSubscriptionItemFeature($id: ID!) {
        subscriptionItemFeature(id: $id) { ...SubscriptionItemFeature }
      }
      ${subscriptionItemFeature}
    `,
    { versioned: 'subscriptionItemFeature' },
  ),
  post(
    '/subscription-item-features',
    /* GraphQL */ `
      mutation CreateSubscriptionItemFeature(
        $subscriptionItemFeature: CreateSubscriptionItemFeatureInput!
      ) {
        body: createSubscriptionItemFeature(
          subscriptionItemFeature: $subscriptionItemFeature
        ) { subscriptionItemFeature { ...SubscriptionItemFeature } }
      }
      ${subscriptionItemFeature}
    `,
    { versioned: 'body.subscriptionItemFeature' },
  ),
  put(
    '/subscription-item-features/:id',
    /* GraphQL */ `
      mutation UpdateSubscriptionItemFeature(
        $id: ID!
        $subscriptionItemFeature: UpdateSubscriptionItemFeatureInput!
      ) {
        body: updateSubscriptionItemFeature(
          id: $id
          subscriptionItemFeature: $subscriptionItemFeature
        ) { subscriptionItemFeature { ...SubscriptionItemFeature } }
      }
      ${subscriptionItemFeature}
    `,
    { versioned: 'body.subscriptionItemFeature' },
  ),
  post(
    '/subscription-item-features/:id/expire',
    /* GraphQL */ `
      mutation ExpireSubscriptionItemFeature($id: ID!, $expiredAt: Timestamp) {
        body: expireSubscriptionItemFeature(id: $id, expiredAt: $expiredAt) {
          subscriptionItemFeature {
            ...SubscriptionItemFeature
          }
        }
      }
      ${subscriptionItemFeature}
    `,
    { versioned: 'body.subscriptionItemFeature' },
  ),
];
