import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

export const redemption = fragment(
  'DiscountRedemption',
  /* GraphQL */ `
    fragment DiscountRedemption on DiscountRedemption {
      id createdAt updatedAt livemode organizationId pricingModelId discountId customerId subscriptionId
      purchaseId name code amount amountType currency duration numberOfPayments numberOfMonths
      endsAt paymentCount remainingPayments releasedAt removedAt
    }
  `,
);

export const discountRedemptions = [
  list('/discount-redemptions', 'discountRedemptions', redemption),
  get(
    '/discount-redemptions/:id',
    /* GraphQL */ `
      query GetDiscountRedemption($id: ID!) {
        discountRedemption(id: $id) { ...DiscountRedemption }
      }
      ${redemption}
    `,
  ),
];
