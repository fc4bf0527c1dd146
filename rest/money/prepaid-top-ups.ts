import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

const prepaidTopUp = fragment(/* GraphQL */ `
  fragment PrepaidTopUp on PrepaidTopUp {
    id createdAt updatedAt livemode organizationId pricingModelId customerId currency threshold amount mostPerMonth
    boughtInMonth validDays active problem pendingCreditId waitsUntil
  }
`);

export const prepaidTopUps = [
  list('/prepaid-top-ups', 'prepaidTopUps', prepaidTopUp),
  one('/prepaid-top-ups/:id', { prepaidTopUp }, { versioned: 'prepaidTopUp' }),
  post(
    '/prepaid-top-ups',
    mutation('createPrepaidTopUp', '$prepaidTopUp: CreatePrepaidTopUpInput!', { prepaidTopUp }),
    { versioned: 'body.prepaidTopUp' },
  ),
  put(
    '/prepaid-top-ups/:id',
    mutation('updatePrepaidTopUp', '$id: ID!, $prepaidTopUp: UpdatePrepaidTopUpInput!', {
      prepaidTopUp,
    }),
    { versioned: 'body.prepaidTopUp' },
  ),
];
