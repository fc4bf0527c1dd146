import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, list, post } from '../engine/route.ts';
import type { Parts } from '../engine/variables.ts';

/** Many names, each of up to 255 characters, come in one call. */
const limitBytes = 16 * 1024 * 1024;

export const resourceClaim = fragment(/* GraphQL */ `
  fragment ResourceClaim on ResourceClaim {
    id createdAt updatedAt livemode organizationId resourceId subscriptionId pricingModelId externalId
    claimedAt releaseReason releasedAt expiredAt metadata
  }
`);

const usage = fragment(/* GraphQL */ `
  fragment ResourceUsage on ResourceUsage { resourceSlug resourceId capacity claimed available }
`);

/** How many claims one answer lists. */
const mostListed = 10_000;

interface Usage {
  readonly usage: { readonly resourceId: string; readonly claimed: number };
  readonly claims: readonly object[];
}

/** The list with the claims of the subscription in the path that match a condition, of one resource or all. */
const claimsThat = (condition: string, { path }: Parts, resourceId?: string) =>
  `/resource-claims?subscriptionId=${path.subscriptionId}&${condition}${resourceId ? `&resourceId=${resourceId}` : ''}`;

const allActive = (parts: Parts, resourceId?: string) =>
  claimsThat('active=true', parts, resourceId);

const isCut = ({ usage, claims }: Usage) => claims.length < usage.claimed;

interface Claim {
  readonly createdAt: number;
  readonly releasedAt: number | null;
}

/** How many claims a call concerns; names and ids count once. */
function askedIn({ body }: Parts): number {
  const names = body.externalIds ?? body.claimIds;
  return Array.isArray(names) ? new Set(names).size : Number(body.quantity ?? 1);
}

/** The filters for an instant, whose end is not included. */
const instantIs = (name: string, at: number) =>
  `${name}From=${new Date(at).toISOString()}&${name}To=${new Date(at + 1).toISOString()}`;

/** All claims of the instant of a claim, in the order of taking; by names, all that are active. */
function claimedByCall(answer: object, parts: Parts) {
  const { usage, claims } = answer as Usage & { readonly claims: readonly Claim[] };
  const [first] = claims;
  if (!first || claims.length >= askedIn(parts)) return undefined;
  if (parts.body.externalIds) return allActive(parts, usage.resourceId);
  return claimsThat(instantIs('createdAt', first.createdAt), parts, usage.resourceId);
}

/** All claims of the instant of a release, in the order of taking. */
function releasedByCall(answer: object, parts: Parts) {
  const { usage, releasedClaims } = answer as Usage & { readonly releasedClaims: readonly Claim[] };
  const [first] = releasedClaims;
  if (!first?.releasedAt || releasedClaims.length >= askedIn(parts)) return undefined;
  return claimsThat(instantIs('releasedAt', first.releasedAt), parts, usage.resourceId);
}

export const resourceClaims = [
  list('/resource-claims', 'resourceClaims', resourceClaim, {
    operationName: 'ListAllResourceClaims',
  }),
  post(
    '/resource-claims/:subscriptionId/claim',
    mutation(
      'claimResource',
      /* GraphQL */ `
        $subscriptionId: ID!
        $resourceSlug: String!
        $quantity: SafeInt
        $externalId: String
        $externalIds: [String!]
        $metadata: JSON
      `,
      { claims: resourceClaim, usage },
    ),
    { limitBytes, rest: claimedByCall },
  ),
  post(
    '/resource-claims/:subscriptionId/release',
    mutation(
      'releaseResource',
      /* GraphQL */ `
        $subscriptionId: ID!
        $resourceSlug: String!
        $quantity: SafeInt
        $externalId: String
        $externalIds: [String!]
        $claimIds: [ID!]
      `,
      { releasedClaims: resourceClaim, usage },
    ),
    { limitBytes, rest: releasedByCall },
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
