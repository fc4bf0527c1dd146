import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

const discount = fragment(/* GraphQL */ `
  fragment Discount on Discount {
    id createdAt updatedAt livemode organizationId pricingModelId name code amount amountType active
    duration numberOfPayments numberOfMonths @extra currency @extra redemptionLimit @extra
    redemptionLimitPerCustomer @extra expiresAt @extra redemptionCount @extra
  }
`);

/** A discount as reads show it, with the number of its uses. */
const countedDiscount = fragment(
  /* GraphQL */ `
    fragment CountedDiscount on Discount { ...Discount redemptionCount }
  `,
  [discount],
);

export const discounts = [
  list('/discounts', 'discounts', countedDiscount, { operationName: 'ListDiscounts' }),
  one('/discounts/:id', { discount: countedDiscount }, { versioned: 'discount' }),
  post('/discounts', mutation('createDiscount', '$discount: CreateDiscountInput!', { discount }), {
    versioned: 'body.discount',
  }),
  put(
    '/discounts/:id',
    mutation('updateDiscount', '$id: ID!, $discount: UpdateDiscountInput!', { discount }),
    { versioned: 'body.discount' },
  ),
];
