import { fragment } from './engine/fragment.ts';
import { get, list, post } from './engine/route.ts';
import type { Parts } from './engine/variables.ts';

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

/** How many claims of a resource one answer lists. */
const mostListed = 10_000;

interface Usage {
  readonly usage: { readonly resourceId: string; readonly claimed: number };
  readonly claims: readonly object[];
}

/** The list with all active claims of the subscription in the path. */
const allActive = ({ path }: Parts, resourceId?: string) =>
  `/resource-claims?subscriptionId=${path.subscriptionId}&active=true${resourceId ? `&resourceId=${resourceId}` : ''}`;

const isCut = ({ usage, claims }: Usage) => claims.length < usage.claimed;

/** The claims that a call by number has changed, where its answer does not list all of them. */
const restOfCall =
  (isActive: boolean, key: string) =>
  (answer: object, { path, body }: Parts) => {
    const { usage, [key]: listed } = answer as Usage & Readonly<Record<string, readonly object[]>>;
    return (listed?.length ?? 0) < Number(body.quantity ?? 0)
      ? `/resource-claims?subscriptionId=${path.subscriptionId}&active=${isActive}&resourceId=${usage.resourceId}`
      : undefined;
  };

export const resourceClaims = [
  list('/resource-claims', 'resourceClaims', resourceClaim, {
    operationName: 'ListAllResourceClaims',
  }),
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
    { limitBytes, rest: restOfCall(true, 'claims') },
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
    { limitBytes, rest: restOfCall(false, 'releasedClaims') },
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
    {
      rest: (usages: readonly Usage[], parts) =>
        usages.some(isCut) ? allActive(parts) : undefined,
    },
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
    {
      rest: (answer: Usage, parts) =>
        isCut(answer) ? allActive(parts, answer.usage.resourceId) : undefined,
    },
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
    {
      rest: ({ claims }: { readonly claims: readonly object[] }, parts) =>
        claims.length < mostListed ? undefined : allActive(parts),
    },
  ),
];
