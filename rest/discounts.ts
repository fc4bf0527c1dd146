import { fragment } from './engine/fragment.ts';
import { get, list, post, put } from './engine/route.ts';

const discount = fragment(
  'Discount',
  /* GraphQL */ `
    fragment Discount on Discount {
      id createdAt updatedAt livemode organizationId pricingModelId name code amount amountType active
      duration numberOfPayments currency redemptionLimit expiresAt redemptionCount
    }
  `,
);

export const discounts = [
  list('/discounts', 'discounts', discount),
  get(
    '/discounts/:id',
    /* GraphQL */ `
      query GetDiscount($id: ID!) { discount(id: $id) { ...Discount } }
      ${discount}
    `,
    { versioned: 'discount' },
  ),
  post(
    '/discounts',
    /* GraphQL */ `
      mutation CreateDiscount($discount: CreateDiscountInput!) {
        body: createDiscount(discount: $discount) { discount { ...Discount } }
      }
      ${discount}
    `,
    { versioned: 'body.discount' },
  ),
  put(
    '/discounts/:id',
    /* GraphQL */ `
      mutation UpdateDiscount($id: ID!, $discount: UpdateDiscountInput!) {
        body: updateDiscount(id: $id, discount: $discount) { discount { ...Discount } }
      }
      ${discount}
    `,
    { versioned: 'body.discount' },
  ),
];
