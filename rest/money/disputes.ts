import { fragment } from '../engine/fragment.ts';
import { list, one } from '../engine/route.ts';

const dispute = fragment(/* GraphQL */ `
  fragment Dispute on Dispute {
    id createdAt updatedAt livemode organizationId pricingModelId paymentId customerId status amount
    currency reason withdrawnAmount fee evidenceDueAt openedAt closedAt processorReference
  }
`);

export const disputes = [list('/disputes', 'disputes', dispute), one('/disputes/:id', { dispute })];
