import { fragment } from '../engine/fragment.ts';
import { list, one } from '../engine/route.ts';

const alertCrossing = fragment(/* GraphQL */ `
  fragment AlertCrossing on AlertCrossing {
    id createdAt updatedAt livemode organizationId pricingModelId alertId kind threshold percentage value customerId
    subscriptionId usageMeterId billingPeriodId endedAt
  }
`);

export const alertCrossings = [
  list('/alert-crossings', 'alertCrossings', alertCrossing),
  one('/alert-crossings/:id', { alertCrossing }),
];
