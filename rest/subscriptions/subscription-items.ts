import { fragment } from '../engine/fragment.ts';
import { list, one } from '../engine/route.ts';

export const subscriptionItem = fragment(/* GraphQL */ `
  fragment SubscriptionItem on SubscriptionItem {
    id createdAt updatedAt livemode subscriptionId name addedDate priceId unitPrice quantity type
    externalId manuallyCreated pricingModelId metadata expiredAt
  }
`);

export const subscriptionItems = [
  list('/subscription-items', 'subscriptionItems', subscriptionItem),
  one('/subscription-items/:id', { subscriptionItem }, { versioned: 'subscriptionItem' }),
];
