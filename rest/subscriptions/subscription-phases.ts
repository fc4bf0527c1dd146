import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { del, list, one, post, put } from '../engine/route.ts';

const phase = fragment(/* GraphQL */ `
  fragment SubscriptionPhase on SubscriptionPhase {
    id createdAt updatedAt livemode organizationId pricingModelId customerId subscriptionId status startsAt timing
    expectedAt startedAt problem items { priceId quantity unitPrice discountPercentage name }
  }
`);

export const subscriptionPhases = [
  list('/subscription-phases', 'subscriptionPhases', phase),
  one('/subscription-phases/:id', { subscriptionPhase: phase }, { versioned: 'subscriptionPhase' }),
  post(
    '/subscription-phases',
    mutation('createSubscriptionPhase', '$subscriptionPhase: CreateSubscriptionPhaseInput!', {
      subscriptionPhase: phase,
    }),
    { versioned: 'body.subscriptionPhase' },
  ),
  put(
    '/subscription-phases/:id',
    mutation(
      'updateSubscriptionPhase',
      '$id: ID!, $subscriptionPhase: UpdateSubscriptionPhaseInput!',
      { subscriptionPhase: phase },
    ),
    { versioned: 'body.subscriptionPhase' },
  ),
  del(
    '/subscription-phases/:id',
    mutation('deleteSubscriptionPhase', '$id: ID!', { subscriptionPhase: phase }),
  ),
];
