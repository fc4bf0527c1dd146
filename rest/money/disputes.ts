import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

const dispute = fragment(
  'Dispute',
  /* GraphQL */ `
    fragment Dispute on Dispute {
      id createdAt updatedAt livemode organizationId pricingModelId paymentId customerId status amount
      currency reason withdrawnAmount fee evidenceDueAt openedAt closedAt processorReference
    }
  `,
);

export const disputes = [
  list('/disputes', 'disputes', dispute),
  get(
    '/disputes/:id',
    /* GraphQL */ `
      query GetDispute($id: ID!) { dispute(id: $id) { ...Dispute } }
      ${dispute}
    `,
  ),
];
