import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

const bookDifference = fragment(/* GraphQL */ `
  fragment BookDifference on BookDifference {
    id createdAt updatedAt livemode organizationId pricingModelId customerId currency difference
    prepaidDifference resolvedAt
  }
`);

export const books = [
  get(
    '/books/:customerId',
    /* GraphQL */ `
      query GetBooks($customerId: ID!, $currency: String) {
        books(customerId: $customerId, currency: $currency) {
          customerId currency invoices creditNotes opening prepaid payments refunds outstanding balances
          difference prepaidDifference agree equation
        }
      }
    `,
  ),
  list('/book-differences', 'bookDifferences', bookDifference),
];
