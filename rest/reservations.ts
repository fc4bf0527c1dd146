import { resourceClaim } from './resource-claims.ts';
import { get, list, post } from './route.ts';

const reservation = /* GraphQL */ `
  fragment Reservation on Reservation {
    id createdAt updatedAt livemode organizationId pricingModelId subscriptionId resourceId status
    quantity externalIds metadata expiresAt settledAt claimIds
  }
`;

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
        $ttlSeconds: Int
      ) {
        body: reserveResource(
          subscriptionId: $subscriptionId
          resourceSlug: $resourceSlug
          quantity: $quantity
          externalId: $externalId
          externalIds: $externalIds
          metadata: $metadata
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
      mutation ConfirmReservation($id: ID!) {
        body: confirmReservation(id: $id) {
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
        reservation: releaseReservation(id: $id) { ...Reservation }
      }
      ${reservation}
    `,
  ),
];
