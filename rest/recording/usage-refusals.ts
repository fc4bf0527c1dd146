import { fragment } from '../engine/fragment.ts';
import { list, one } from '../engine/route.ts';

const usageRefusal = fragment(/* GraphQL */ `
  fragment UsageRefusal on UsageRefusal {
    id createdAt updatedAt livemode organizationId pricingModelId acceptanceId acceptedAt count
    events { event issues }
  }
`);

export const usageRefusals = [
  list('/usage-refusals', 'usageRefusals', usageRefusal),
  one('/usage-refusals/:id', { usageRefusal }),
];
