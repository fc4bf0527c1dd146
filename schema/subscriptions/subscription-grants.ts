import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { nowOfSubscription } from '#domain/platform/reads/read-customer.ts';
import { featureItemsOf } from '#domain/subscriptions/entitlement/feature-items.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { object } from '../engine/types.ts';

/** The features that a subscription grants by the customer's clock. */
async function featureItems(subscription: Subscription, _args: object, session: Session) {
  // One that is paused, unpaid without access or before its first payment grants none of its features.
  if (!subscription.current) return [];
  const now = await nowOfSubscription(session, subscription);
  return upToMost(await featureItemsOf({ ...session, now }, [subscription]));
}

export const SubscriptionGrants = object<Subscription>('SubscriptionGrants')({
  description: 'The features that a subscription grants now, and its usage balances.',
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
  grants: t.field({
    type: SubscriptionGrants,
    description: 'The features granted now, and the usage balances.',
    resolve: (subscription) => subscription,
  }),
}));
