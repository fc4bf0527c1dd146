import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';

const prepaidCredit = fragment(/* GraphQL */ `
  fragment PrepaidCredit on PrepaidCredit {
    id createdAt updatedAt livemode organizationId pricingModelId customerId source boughtByCustomer status currency amount remaining used
    expired revoked priority expiresAt validDays rollovers rolloverLimit rolledOver invoiceId grantedAt reason
    uses { prepaidCreditId invoiceId amount returned }
  }
`);

export const prepaidCredits = [
  list('/prepaid-credits', 'prepaidCredits', prepaidCredit),
  one('/prepaid-credits/:id', { prepaidCredit }),
  post(
    '/prepaid-credits',
    mutation('createPrepaidCredit', '$prepaidCredit: CreatePrepaidCreditInput!', { prepaidCredit }),
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
    mutation('revokePrepaidCredit', '$id: ID!', { prepaidCredit }),
  ),
];
