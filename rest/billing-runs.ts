import { fragment } from './engine/fragment.ts';
import { get } from './engine/route.ts';

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
  get(
    '/billing-runs',
    /* GraphQL */ `
      query ListBillingRuns(
        $limit: Int
        $cursor: String
        $subscriptionId: ID
        $status: BillingRunStatus
      ) {
        body: billingRuns(
          first: $limit
          after: $cursor
          filter: { subscription: $subscriptionId, status: $status }
        ) {
          data: nodes { ...BillingRun }
          hasMore
          total: totalCount
          currentCursor
          nextCursor
        }
      }
      ${billingRun}
    `,
    { omitNull: ['currentCursor', 'nextCursor'] },
  ),
  get(
    '/billing-runs/:id',
    /* GraphQL */ `
      query GetBillingRun($id: ID!) { billingRun(id: $id) { ...BillingRun } }
      ${billingRun}
    `,
  ),
];
