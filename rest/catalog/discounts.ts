import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

const discount = fragment(
  'Discount',
  /* GraphQL */ `
    fragment Discount on Discount {
      id createdAt updatedAt livemode organizationId pricingModelId name code amount amountType active
      duration numberOfPayments numberOfMonths @extra currency @extra redemptionLimit @extra
      redemptionLimitPerCustomer @extra expiresAt @extra redemptionCount @extra
    }
  `,
);

/** A discount as reads show it, with the number of its uses. */
const countedDiscount = fragment(
  'CountedDiscount',
  /* GraphQL */ `
    fragment CountedDiscount on Discount { ...Discount redemptionCount }
  `,
  [discount],
);

export const discounts = [
  list('/discounts', 'discounts', countedDiscount, { operationName: 'ListDiscounts' }),
  get(
    '/discounts/:id',
    /* GraphQL */ `
      query GetDiscount($id: ID!) { discount(id: $id) { ...CountedDiscount } }
      ${countedDiscount}
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
