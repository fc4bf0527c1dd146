import { fragment } from '../engine/fragment.ts';
import { list, one } from '../engine/route.ts';

export const redemption = fragment(/* GraphQL */ `
  fragment DiscountRedemption on DiscountRedemption {
    id createdAt updatedAt livemode organizationId pricingModelId discountId customerId subscriptionId
    purchaseId name code amount amountType currency duration numberOfPayments numberOfMonths
    endsAt paymentCount remainingPayments releasedAt removedAt
  }
`);

export const discountRedemptions = [
  list('/discount-redemptions', 'discountRedemptions', redemption),
  one('/discount-redemptions/:id', { discountRedemption: redemption }),
];
