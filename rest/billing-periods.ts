import { fragment } from './engine/fragment.ts';
import { get } from './engine/route.ts';

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
  get(
    '/billing-periods',
    /* GraphQL */ `
      query ListBillingPeriods(
        $limit: Int
        $cursor: String
        $subscriptionId: ID
        $status: BillingPeriodStatus
      ) {
        body: billingPeriods(
          first: $limit
          after: $cursor
          filter: { subscription: $subscriptionId, status: $status }
        ) {
          data: nodes { ...BillingPeriod }
          hasMore
          total: totalCount
          currentCursor
          nextCursor
        }
      }
      ${billingPeriod}
    `,
    { omitNull: ['currentCursor', 'nextCursor'] },
  ),
  get(
    '/billing-periods/:id',
    /* GraphQL */ `
      query GetBillingPeriod($id: ID!) { billingPeriod(id: $id) { ...BillingPeriod } }
      ${billingPeriod}
    `,
  ),
];
