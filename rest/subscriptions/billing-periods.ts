import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

const billingPeriod = fragment(
  'BillingPeriod',
  /* GraphQL */ `
    fragment BillingPeriod on BillingPeriod {
      id createdAt updatedAt livemode organizationId pricingModelId subscriptionId startDate endDate
      status trialPeriod
    }
  `,
);

export const billingPeriods = [
  list('/billing-periods', 'billingPeriods', billingPeriod),
  get(
    '/billing-periods/:id',
    /* GraphQL */ `
      query GetBillingPeriod($id: ID!) { billingPeriod(id: $id) { ...BillingPeriod } }
      ${billingPeriod}
    `,
  ),
];
