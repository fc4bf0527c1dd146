import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

const usageRefusal = fragment(
  'UsageRefusal',
  /* GraphQL */ `
    fragment UsageRefusal on UsageRefusal {
      id createdAt updatedAt livemode organizationId pricingModelId acceptanceId acceptedAt count
      events { event issues }
    }
  `,
);

export const usageRefusals = [
  list('/usage-refusals', 'usageRefusals', usageRefusal),
  get(
    '/usage-refusals/:id',
    /* GraphQL */ `
      query GetUsageRefusal($id: ID!) { usageRefusal(id: $id) { ...UsageRefusal } }
      ${usageRefusal}
    `,
  ),
];
