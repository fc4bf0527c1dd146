import { fragment } from './engine/fragment.ts';
import { get } from './engine/route.ts';

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
  get(
    '/subscription-items',
    /* GraphQL */ `
      query ListSubscriptionItems($limit: Int, $cursor: String, $subscriptionId: ID) {
        body: subscriptionItems(
          first: $limit
          after: $cursor
          filter: { subscription: $subscriptionId }
        ) {
          data: nodes { ...SubscriptionItem }
          hasMore
          total: totalCount
          currentCursor
          nextCursor
        }
      }
      ${subscriptionItem}
    `,
    { omitNull: ['currentCursor', 'nextCursor'] },
  ),
  get(
    '/subscription-items/:id',
    /* GraphQL */ `
      query GetSubscriptionItem($id: ID!) { subscriptionItem(id: $id) { ...SubscriptionItem } }
      ${subscriptionItem}
    `,
  ),
];
