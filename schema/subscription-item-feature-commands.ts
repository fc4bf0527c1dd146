import { createSubscriptionItemFeature } from '#domain/subscription-item-features/create-subscription-item-feature.ts';
import {
  expireSubscriptionItemFeature,
  expireSubscriptionItemFeatureInput,
} from '#domain/subscription-item-features/expire-subscription-item-feature.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { createSubscriptionItemFeatureInput } from '#domain/subscription-item-features/subscription-item-feature-input.ts';
import {
  updateSubscriptionItemFeature,
  updateSubscriptionItemFeatureInput,
} from '#domain/subscription-item-features/update-subscription-item-feature.ts';
import { builder } from './engine/builder.ts';
import { FeatureType, RenewalFrequency } from './features.ts';

const CreateSubscriptionItemFeature = builder.inputType('CreateSubscriptionItemFeatureInput', {
  description: 'A feature for one subscription item. Which fields it needs depends on its type.',
  fields: (t) => ({
    subscriptionItemId: t.id({ required: true, description: 'What is to grant it.' }),
    featureId: t.id({ required: true, description: 'The feature; it must be active.' }),
    type: t.field({ type: FeatureType, required: true, description: 'The type of the feature.' }),
    name: t.string({ description: 'Is that of the feature, whatever is given here.' }),
    slug: t.string({ description: 'Is that of the feature, whatever is given here.' }),
    productFeatureId: t.id({ description: 'By which product it comes, if by one.' }),
    amount: t.field({
      type: 'SafeInt',
      description: 'Credits or units of capacity, 1 or more; not for a toggle.',
    }),
    usageMeterId: t.id({ description: 'The meter of the feature; for credits only.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'How often credits are granted; for credits only.',
    }),
    resourceId: t.id({ description: 'The resource of the feature; for capacity only.' }),
    expiredAt: t.field({ type: 'Timestamp', description: 'When it ends; never when absent.' }),
    detachedAt: t.field({
      type: 'Timestamp',
      description: 'Since when its product does not grant it any longer.',
    }),
    detachedReason: t.string({ description: 'Why its product does not grant it any longer.' }),
    manuallyCreated: t.boolean({ description: 'Whether it was added by hand; no when absent.' }),
  }),
});

const UpdateSubscriptionItemFeature = builder.inputType('UpdateSubscriptionItemFeatureInput', {
  description: 'Changes to a feature of a subscription item; what is absent stays.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    subscriptionItemId: t.id({ description: 'Cannot change; must equal what it is.' }),
    featureId: t.id({ description: 'Cannot change; must equal what it is.' }),
    productFeatureId: t.id({ description: 'Cannot change; must equal what it is.' }),
    type: t.field({ type: FeatureType, description: 'Cannot change; must equal what it is.' }),
    amount: t.field({ type: 'SafeInt', description: 'Credits or units of capacity, 1 or more.' }),
    usageMeterId: t.id({ description: 'Cannot change; must equal what it is.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'How often credits are granted.',
    }),
    resourceId: t.id({ description: 'Cannot change; must equal what it is.' }),
    expiredAt: t.field({ type: 'Timestamp', description: 'When it ends.' }),
    detachedAt: t.field({
      type: 'Timestamp',
      description: 'Since when its product does not grant it any longer.',
    }),
    detachedReason: t.string({ description: 'Why its product does not grant it any longer.' }),
    manuallyCreated: t.boolean({ description: 'Whether it was added by hand.' }),
  }),
});

builder.mutationFields((t) => ({
  createSubscriptionItemFeature: t.field({
    type: SubscriptionItemFeature,
    description:
      'Gives a subscription item a feature beside those of its product. Errors: BAD_REQUEST for what does not belong together or has ended.',
    args: {
      subscriptionItemFeature: t.arg({
        type: CreateSubscriptionItemFeature,
        required: true,
        description: 'The feature and what it is for.',
      }),
    },
    validate: { schema: createSubscriptionItemFeatureInput },
    resolve: (_root, args, session) => createSubscriptionItemFeature(session, args),
  }),
  updateSubscriptionItemFeature: t.field({
    type: SubscriptionItemFeature,
    description:
      'Changes how much of a feature a subscription item has, and until when. Errors: NOT_FOUND; BAD_REQUEST.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription item feature.' }),
      subscriptionItemFeature: t.arg({
        type: UpdateSubscriptionItemFeature,
        required: true,
        description: 'The changes.',
      }),
    },
    validate: { schema: updateSubscriptionItemFeatureInput },
    resolve: (_root, args, session) => updateSubscriptionItemFeature(session, args),
  }),
  expireSubscriptionItemFeature: t.field({
    type: SubscriptionItemFeature,
    description: 'Ends a feature of a subscription item. Errors: NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription item feature.' }),
      expiredAt: t.arg({
        type: 'Timestamp',
        description: 'When, also ahead; now when absent.',
      }),
    },
    validate: { schema: expireSubscriptionItemFeatureInput },
    resolve: (_root, args, session) => expireSubscriptionItemFeature(session, args),
  }),
}));
