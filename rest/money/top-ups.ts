import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

const topUp = fragment(
  'TopUp',
  /* GraphQL */ `
    fragment TopUp on TopUp {
      id createdAt updatedAt livemode organizationId pricingModelId customerId subscriptionId usageMeterId priceId
      quantity threshold mostPerMonth purchasesInMonth active problem pendingPurchaseId
    }
  `,
);

export const topUps = [
  list('/top-ups', 'topUps', topUp),
  get(
    '/top-ups/:id',
    /* GraphQL */ `
      query GetTopUp($id: ID!) { topUp(id: $id) { ...TopUp } }
      ${topUp}
    `,
    { versioned: 'topUp' },
  ),
  post(
    '/top-ups',
    /* GraphQL */ `
      mutation CreateTopUp($topUp: CreateTopUpInput!) {
        body: createTopUp(topUp: $topUp) { topUp { ...TopUp } }
      }
      ${topUp}
    `,
    { versioned: 'body.topUp' },
  ),
  put(
    '/top-ups/:id',
    /* GraphQL */ `
      mutation UpdateTopUp($id: ID!, $topUp: UpdateTopUpInput!) {
        body: updateTopUp(id: $id, topUp: $topUp) { topUp { ...TopUp } }
      }
      ${topUp}
    `,
    { versioned: 'body.topUp' },
  ),
];
