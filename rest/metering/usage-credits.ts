import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';

const usageCredit = fragment(/* GraphQL */ `
  fragment UsageCredit on UsageCredit {
    id createdAt updatedAt livemode organizationId pricingModelId subscriptionId usageMeterId customerId amount
    remaining expired expiresAt priority source sourceId billingPeriodId reason
    rollover { periodsLeft limit isRolledOver rolledOver notRolledOver }
  }
`);

export const usageCredits = [
  list('/usage-credits', 'usageCredits', usageCredit),
  one('/usage-credits/:id', { usageCredit }),
  post(
    '/usage-credits',
    mutation('grantUsageCredits', '$usageCredit: GrantUsageCreditsInput!', { usageCredit }),
  ),
];
