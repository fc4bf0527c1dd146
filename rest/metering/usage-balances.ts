import { fragment } from '../engine/fragment.ts';
import { get } from '../engine/route.ts';

/** The balance of a meter: the fields of the meter and two more. */
export const usageMeterBalance = fragment(/* GraphQL */ `
  fragment UsageMeterBalance on UsageMeterBalance {
    id: usageMeterId createdAt updatedAt livemode organizationId name pricingModelId slug aggregationType
    availableBalance: available subscriptionId
  }
`);

export const usageBalances = [
  get(
    '/customers/:externalId/usage-balances',
    /* GraphQL */ `
      query GetUsageBalances($externalId: String!, $subscriptionId: ID) {
        body: customerByExternalId(externalId: $externalId) {
          usageMeterBalances(subscriptionId: $subscriptionId) { ...UsageMeterBalance }
        }
      }
      ${usageMeterBalance}
    `,
    {
      description:
        'The usage meters of a customer with the balance of each: credits minus usage that is neither covered nor billed. Covers all current subscriptions, or one subscription. Errors: NOT_FOUND.',
    },
  ),
];
