import { fragment } from '../engine/fragment.ts';
import { del, get, list, post, put } from '../engine/route.ts';

const phase = fragment(
  'SubscriptionPhase',
  /* GraphQL */ `
    fragment SubscriptionPhase on SubscriptionPhase {
      id createdAt updatedAt livemode organizationId pricingModelId customerId subscriptionId status startsAt timing
      expectedAt startedAt problem items { priceId quantity unitPrice discountPercentage name }
    }
  `,
);

export const subscriptionPhases = [
  list('/subscription-phases', 'subscriptionPhases', phase),
  get(
    '/subscription-phases/:id',
    /* GraphQL */ `
      query GetSubscriptionPhase($id: ID!) { subscriptionPhase(id: $id) { ...SubscriptionPhase } }
      ${phase}
    `,
    { versioned: 'subscriptionPhase' },
  ),
  post(
    '/subscription-phases',
    /* GraphQL */ `
      mutation CreateSubscriptionPhase($subscriptionPhase: CreateSubscriptionPhaseInput!) {
        body: createSubscriptionPhase(subscriptionPhase: $subscriptionPhase) {
          subscriptionPhase {
            ...SubscriptionPhase
          }
        }
      }
      ${phase}
    `,
    { versioned: 'body.subscriptionPhase' },
  ),
  put(
    '/subscription-phases/:id',
    /* GraphQL */ `
      mutation UpdateSubscriptionPhase($id: ID!, $subscriptionPhase: UpdateSubscriptionPhaseInput!) {
        body: updateSubscriptionPhase(id: $id, subscriptionPhase: $subscriptionPhase) {
          subscriptionPhase {
            ...SubscriptionPhase
          }
        }
      }
      ${phase}
    `,
    { versioned: 'body.subscriptionPhase' },
  ),
  del(
    '/subscription-phases/:id',
    /* GraphQL */ `
      mutation DeleteSubscriptionPhase($id: ID!) {
        body: deleteSubscriptionPhase(id: $id) { subscriptionPhase { ...SubscriptionPhase } }
      }
      ${phase}
    `,
  ),
];
