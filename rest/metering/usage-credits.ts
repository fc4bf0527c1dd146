import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

const usageCredit = fragment(
  'UsageCredit',
  /* GraphQL */ `
    fragment UsageCredit on UsageCredit {
      id createdAt updatedAt livemode organizationId pricingModelId subscriptionId usageMeterId customerId amount
      remaining expired expiresAt priority source sourceId billingPeriodId reason
      rollover { periodsLeft limit isRolledOver rolledOver notRolledOver }
    }
  `,
);

export const usageCredits = [
  list('/usage-credits', 'usageCredits', usageCredit),
  get(
    '/usage-credits/:id',
    /* GraphQL */ `
      query GetUsageCredit($id: ID!) { usageCredit(id: $id) { ...UsageCredit } }
      ${usageCredit}
    `,
  ),
  post(
    '/usage-credits',
    /* GraphQL */ `
      mutation GrantUsageCredits($usageCredit: GrantUsageCreditsInput!) {
        body: grantUsageCredits(usageCredit: $usageCredit) { usageCredit { ...UsageCredit } }
      }
      ${usageCredit}
    `,
  ),
];
