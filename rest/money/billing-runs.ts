import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

const billingRun = fragment(
  'BillingRun',
  /* GraphQL */ `
    fragment BillingRun on BillingRun {
      id createdAt updatedAt livemode organizationId pricingModelId subscriptionId billingPeriodId
      invoiceId status scheduledFor attemptNumber errorDetails
    }
  `,
);

export const billingRuns = [
  list('/billing-runs', 'billingRuns', billingRun),
  get(
    '/billing-runs/:id',
    /* GraphQL */ `
      query GetBillingRun($id: ID!) { billingRun(id: $id) { ...BillingRun } }
      ${billingRun}
    `,
  ),
];
