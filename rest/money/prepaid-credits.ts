import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

const prepaidCredit = fragment(
  'PrepaidCredit',
  /* GraphQL */ `
    fragment PrepaidCredit on PrepaidCredit {
      id createdAt updatedAt livemode organizationId pricingModelId customerId source boughtByCustomer status currency amount remaining used
      expired revoked priority expiresAt validDays rollovers rolloverLimit rolledOver invoiceId grantedAt reason
      uses { prepaidCreditId invoiceId amount returned }
    }
  `,
);

export const prepaidCredits = [
  list('/prepaid-credits', 'prepaidCredits', prepaidCredit),
  get(
    '/prepaid-credits/:id',
    /* GraphQL */ `
      query GetPrepaidCredit($id: ID!) { prepaidCredit(id: $id) { ...PrepaidCredit } }
      ${prepaidCredit}
    `,
  ),
  post(
    '/prepaid-credits',
    /* GraphQL */ `
      mutation CreatePrepaidCredit($prepaidCredit: CreatePrepaidCreditInput!) {
        body: createPrepaidCredit(prepaidCredit: $prepaidCredit) { prepaidCredit { ...PrepaidCredit } }
      }
      ${prepaidCredit}
    `,
  ),
  post(
    '/prepaid-credits/buy',
    /* GraphQL */ `
      mutation BuyPrepaidCredit($prepaidCredit: BuyPrepaidCreditInput!) {
        body: buyPrepaidCredit(prepaidCredit: $prepaidCredit) {
          prepaidCredit {
            ...PrepaidCredit
            invoice { paymentActionUrl }
          }
        }
      }
      ${prepaidCredit}
    `,
  ),
  post(
    '/prepaid-credits/:id/revoke',
    /* GraphQL */ `
      mutation RevokePrepaidCredit($id: ID!) {
        body: revokePrepaidCredit(id: $id) { prepaidCredit { ...PrepaidCredit } }
      }
      ${prepaidCredit}
    `,
  ),
];
