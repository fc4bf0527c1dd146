import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

export const subscriptionItem = fragment(
  'SubscriptionItem',
  /* GraphQL */ `
    fragment SubscriptionItem on SubscriptionItem {
      id createdAt updatedAt livemode subscriptionId name addedDate priceId unitPrice quantity type
      externalId manuallyCreated pricingModelId metadata expiredAt
    }
  `,
);

export const subscriptionItems = [
  list('/subscription-items', 'subscriptionItems', subscriptionItem),
  get(
    '/subscription-items/:id',
    /* GraphQL */ `
      query GetSubscriptionItem($id: ID!) { subscriptionItem(id: $id) { ...SubscriptionItem } }
      ${subscriptionItem}
    `,
    { versioned: 'subscriptionItem' },
  ),
];
