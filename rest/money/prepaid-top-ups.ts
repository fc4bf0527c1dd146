import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

const prepaidTopUp = fragment(
  'PrepaidTopUp',
  /* GraphQL */ `
    fragment PrepaidTopUp on PrepaidTopUp {
      id createdAt updatedAt livemode organizationId pricingModelId customerId currency threshold amount mostPerMonth
      boughtInMonth validDays active problem pendingCreditId waitsUntil
    }
  `,
);

export const prepaidTopUps = [
  list('/prepaid-top-ups', 'prepaidTopUps', prepaidTopUp),
  get(
    '/prepaid-top-ups/:id',
    /* GraphQL */ `
      query GetPrepaidTopUp($id: ID!) { prepaidTopUp(id: $id) { ...PrepaidTopUp } }
      ${prepaidTopUp}
    `,
    { versioned: 'prepaidTopUp' },
  ),
  post(
    '/prepaid-top-ups',
    /* GraphQL */ `
      mutation CreatePrepaidTopUp($prepaidTopUp: CreatePrepaidTopUpInput!) {
        body: createPrepaidTopUp(prepaidTopUp: $prepaidTopUp) { prepaidTopUp { ...PrepaidTopUp } }
      }
      ${prepaidTopUp}
    `,
    { versioned: 'body.prepaidTopUp' },
  ),
  put(
    '/prepaid-top-ups/:id',
    /* GraphQL */ `
      mutation UpdatePrepaidTopUp($id: ID!, $prepaidTopUp: UpdatePrepaidTopUpInput!) {
        body: updatePrepaidTopUp(id: $id, prepaidTopUp: $prepaidTopUp) { prepaidTopUp { ...PrepaidTopUp } }
      }
      ${prepaidTopUp}
    `,
    { versioned: 'body.prepaidTopUp' },
  ),
];
