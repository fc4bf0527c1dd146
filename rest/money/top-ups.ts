import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

const topUp = fragment(/* GraphQL */ `
  fragment TopUp on TopUp {
    id createdAt updatedAt livemode organizationId pricingModelId customerId subscriptionId usageMeterId priceId
    quantity threshold mostPerMonth purchasesInMonth active problem pendingPurchaseId
  }
`);

export const topUps = [
  list('/top-ups', 'topUps', topUp),
  one('/top-ups/:id', { topUp }, { versioned: 'topUp' }),
  post('/top-ups', mutation('createTopUp', '$topUp: CreateTopUpInput!', { topUp }), {
    versioned: 'body.topUp',
  }),
  put('/top-ups/:id', mutation('updateTopUp', '$id: ID!, $topUp: UpdateTopUpInput!', { topUp }), {
    versioned: 'body.topUp',
  }),
];
