import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';
import { resourceClaim } from './resource-claims.ts';

const reservation = fragment(
  'Reservation',
  /* GraphQL */ `
    fragment Reservation on Reservation {
      id createdAt updatedAt livemode organizationId pricingModelId subscriptionId resourceId status
      quantity externalIds metadata expiresAt settledAt claimIds
      usageMeterId usageAmount usageEventId
    }
  `,
);

export const reservations = [
  list('/reservations', 'reservations', reservation),
  get(
    '/reservations/:id',
    /* GraphQL */ `
      query GetReservation($id: ID!) { reservation(id: $id) { ...Reservation } }
      ${reservation}
    `,
  ),
  post(
    '/reservations',
    /* GraphQL */ `
      mutation ReserveResource(
        $subscriptionId: ID!
        $resourceSlug: String!
        $quantity: SafeInt
        $externalId: String
        $externalIds: [String!]
        $metadata: JSON
        $usageMeterSlug: String
        $usageAmount: Decimal
        $ttlSeconds: Int
      ) {
        body: reserveResource(
          subscriptionId: $subscriptionId
          resourceSlug: $resourceSlug
          quantity: $quantity
          externalId: $externalId
          externalIds: $externalIds
          metadata: $metadata
          usageMeterSlug: $usageMeterSlug
          usageAmount: $usageAmount
          ttlSeconds: $ttlSeconds
        ) {
          reservation { ...Reservation }
          usage { resourceSlug resourceId capacity claimed reserved available }
        }
      }
      ${reservation}
    `,
  ),
  post(
    '/reservations/:id/confirm',
    /* GraphQL */ `
      mutation ConfirmReservation($id: ID!, $usageAmount: Decimal) {
        body: confirmReservation(id: $id, usageAmount: $usageAmount) {
          reservation { ...Reservation }
          claims { ...ResourceClaim }
        }
      }
      ${reservation}
      ${resourceClaim}
    `,
  ),
  post(
    '/reservations/:id/release',
    /* GraphQL */ `
      mutation ReleaseReservation($id: ID!) {
        body: releaseReservation(id: $id) { reservation { ...Reservation } }
      }
      ${reservation}
    `,
  ),
];
