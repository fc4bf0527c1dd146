import type { Session } from '#domain/kernel/session.ts';
import { featureItemsOf } from '#domain/rules/entitlement/feature-items.ts';
import { nowOfSubscription } from '#domain/rules/reads/read-customer.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { atMostBelow, upToMost } from './engine/below.ts';
import { builder } from './engine/builder.ts';

/** The further details of a subscription in the billing details. */
async function featureItems(subscription: Subscription, _args: object, session: Session) {
  const now = await nowOfSubscription(session, subscription);
  return upToMost(await featureItemsOf({ ...session, now }, [subscription]));
}

export const SubscriptionExperimental = builder
  .objectRef<Subscription>('SubscriptionExperimental')
  .implement({
    description: 'Further details of a subscription in the billing details.',
    fields: (t) => ({
      featureItems: t.field({
        type: [SubscriptionItemFeature],
        description: `The features granted now, by the customer’s clock, oldest grant first; ${atMostBelow}.`,
        resolve: featureItems,
      }),
    }),
  });

builder.objectFields(Subscription, (t) => ({
  featureItems: t.field({
    type: [SubscriptionItemFeature],
    description: `The features granted now, by the customer’s clock, oldest grant first; ${atMostBelow}.`,
    resolve: featureItems,
  }),
  experimental: t.field({
    type: SubscriptionExperimental,
    description: 'Further details of a subscription in the billing details.',
    deprecationReason: 'Use `featureItems`. REST needs this field.',
    resolve: (subscription) => subscription,
  }),
}));
