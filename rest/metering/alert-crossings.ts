import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

const alertCrossing = fragment(
  'AlertCrossing',
  /* GraphQL */ `
    fragment AlertCrossing on AlertCrossing {
      id createdAt updatedAt livemode organizationId pricingModelId alertId kind threshold percentage value customerId
      subscriptionId usageMeterId billingPeriodId endedAt
    }
  `,
);

export const alertCrossings = [
  list('/alert-crossings', 'alertCrossings', alertCrossing),
  get(
    '/alert-crossings/:id',
    /* GraphQL */ `
      query GetAlertCrossing($id: ID!) { alertCrossing(id: $id) { ...AlertCrossing } }
      ${alertCrossing}
    `,
  ),
];
