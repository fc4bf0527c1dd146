import { pageSelection } from '../engine/pages.ts';
import { get } from '../engine/route.ts';

export const events = [
  get(
    '/events',
    /* GraphQL */ `
      query ListEvents(
        $limit: Int
        $after: String
        $types: [EventType!]
        $where: EventWhere
        $sort: EventOrder
      ) {
        body: events(
          first: $limit
          after: $after
          types: $types
          where: $where
          orderBy: $sort
        ) {
          data: nodes {
            id sequence type objectType objectId objectVersion data previousAttributes customerId
            livemode organizationId pricingModelId occurredAt causeId actor { type id }
          }
          ${pageSelection}
        }
      }
    `,
  ),
];
