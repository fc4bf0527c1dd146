import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';
import { resourceClaim } from './resource-claims.ts';

const reservation = fragment(/* GraphQL */ `
  fragment Reservation on Reservation {
    id createdAt updatedAt livemode organizationId pricingModelId subscriptionId resourceId status
    quantity externalIds metadata expiresAt settledAt claimIds
    usageMeterId usageAmount usageEventId
  }
`);

export const reservations = [
  list('/reservations', 'reservations', reservation),
  one('/reservations/:id', { reservation }),
  post(
    '/reservations',
    mutation(
      'reserveResource',
      /* GraphQL */ `
        $subscriptionId: ID!
        $resourceSlug: String!
        $quantity: SafeInt
        $externalId: String
        $externalIds: [String!]
        $metadata: JSON
        $usageMeterSlug: String
        $usageAmount: Decimal
        $ttlSeconds: Int
      `,
      /* GraphQL */ `
        reservation { ...Reservation }
          usage { resourceSlug resourceId capacity claimed reserved available }
      `,
      [reservation],
    ),
  ),
  post(
    '/reservations/:id/confirm',
    mutation('confirmReservation', '$id: ID!, $usageAmount: Decimal', {
      reservation,
      claims: resourceClaim,
    }),
  ),
  post('/reservations/:id/release', mutation('releaseReservation', '$id: ID!', { reservation })),
];
