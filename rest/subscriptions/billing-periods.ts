import { fragment } from '../engine/fragment.ts';
import { list, one } from '../engine/route.ts';

const billingPeriod = fragment(/* GraphQL */ `
  fragment BillingPeriod on BillingPeriod {
    id createdAt updatedAt livemode organizationId pricingModelId subscriptionId startDate endDate
    status trialPeriod
  }
`);

export const billingPeriods = [
  list('/billing-periods', 'billingPeriods', billingPeriod),
  one('/billing-periods/:id', { billingPeriod }),
];
