import { fragment } from '../engine/fragment.ts';
import { list, one } from '../engine/route.ts';

const billingRun = fragment(/* GraphQL */ `
  fragment BillingRun on BillingRun {
    id createdAt updatedAt livemode organizationId pricingModelId subscriptionId billingPeriodId
    invoiceId status scheduledFor attemptNumber errorDetails
  }
`);

export const billingRuns = [
  list('/billing-runs', 'billingRuns', billingRun),
  one('/billing-runs/:id', { billingRun }),
];
