import { fragment } from './engine/fragment.ts';
import { get, post } from './engine/route.ts';

/** Many names, each of up to 255 characters, come in one call. */
const limitBytes = 16 * 1024 * 1024;

export const resourceClaim = fragment(
  'ResourceClaim',
  /* GraphQL */ `
    fragment ResourceClaim on ResourceClaim {
      id createdAt updatedAt livemode organizationId resourceId subscriptionId pricingModelId externalId
      claimedAt releaseReason releasedAt expiredAt metadata
    }
  `,
);

const usage = fragment(
  'ResourceUsage',
  /* GraphQL */ `
    fragment ResourceUsage on ResourceUsage { resourceSlug resourceId capacity claimed available }
  `,
);

export const resourceClaims = [
  post(
    '/resource-claims/:subscriptionId/claim',
    /* GraphQL */ `
      mutation ClaimResource(
        $subscriptionId: ID!
        $resourceSlug: String!
        $quantity: SafeInt
        $externalId: String
        $externalIds: [String!]
        $metadata: JSON
      ) {
        body: claimResource(
          subscriptionId: $subscriptionId
          resourceSlug: $resourceSlug
          quantity: $quantity
          externalId: $externalId
          externalIds: $externalIds
          metadata: $metadata
        ) {
          claims { ...ResourceClaim }
          usage { ...ResourceUsage }
        }
      }
      ${resourceClaim}
      ${usage}
    `,
    { limitBytes },
  ),
  post(
    '/resource-claims/:subscriptionId/release',
    /* GraphQL */ `
      mutation ReleaseResource(
        $subscriptionId: ID!
        $resourceSlug: String!
        $quantity: SafeInt
        $externalId: String
        $externalIds: [String!]
        $claimIds: [ID!]
      ) {
        body: releaseResource(
          subscriptionId: $subscriptionId
          resourceSlug: $resourceSlug
          quantity: $quantity
          externalId: $externalId
          externalIds: $externalIds
          claimIds: $claimIds
        ) {
          releasedClaims { ...ResourceClaim }
          usage { ...ResourceUsage }
        }
      }
      ${resourceClaim}
      ${usage}
    `,
    { limitBytes },
  ),
  get(
    '/resource-claims/:subscriptionId/usages',
    /* GraphQL */ `
      query ListResourceUsages(
        $subscriptionId: ID!
        $resourceSlugs: [String!]
        $resourceIds: [ID!]
      ) {
        body: resourceUsages(
          subscriptionId: $subscriptionId
          resourceSlugs: $resourceSlugs
          resourceIds: $resourceIds
        ) {
          usage { ...ResourceUsage }
          claims { ...ResourceClaim }
        }
      }
      ${resourceClaim}
      ${usage}
    `,
  ),
  get(
    '/resource-claims/:subscriptionId/usage',
    /* GraphQL */ `
      query GetResourceUsage($subscriptionId: ID!, $resourceSlug: String, $resourceId: ID) {
        body: resourceUsage(
          subscriptionId: $subscriptionId
          resourceSlug: $resourceSlug
          resourceId: $resourceId
        ) {
          usage { ...ResourceUsage }
          claims { ...ResourceClaim }
        }
      }
      ${resourceClaim}
      ${usage}
    `,
  ),
  get(
    '/resource-claims/:subscriptionId/claims',
    /* GraphQL */ `
      query ListResourceClaims($subscriptionId: ID!, $resourceSlug: String) {
        claims: activeClaims(subscriptionId: $subscriptionId, resourceSlug: $resourceSlug) {
          ...ResourceClaim
        }
      }
      ${resourceClaim}
    `,
  ),
];
