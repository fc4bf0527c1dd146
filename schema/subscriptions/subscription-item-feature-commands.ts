import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { createSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/create-subscription-item-feature.ts';
import {
  expireSubscriptionItemFeature,
  expireSubscriptionItemFeatureInput,
} from '#domain/subscriptions/commands/subscription-item-features/expire-subscription-item-feature.ts';
import { createSubscriptionItemFeatureInput } from '#domain/subscriptions/commands/subscription-item-features/subscription-item-feature-input.ts';
import {
  updateSubscriptionItemFeature,
  updateSubscriptionItemFeatureInput,
} from '#domain/subscriptions/commands/subscription-item-features/update-subscription-item-feature.ts';
import { FeatureType, RenewalFrequency } from '../catalog/features.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { payload } from '../engine/payload.ts';

const CreateSubscriptionItemFeature = builder.inputType('CreateSubscriptionItemFeatureInput', {
  description: 'A new feature of a subscription item. Its type decides which fields apply.',
  fields: (t) => ({
    subscriptionItemId: t.id({
      required: true,
      description: 'The subscription item that grants the feature.',
    }),
    featureId: t.id({ required: true, description: 'The feature, which must be active.' }),
    type: t.field({ type: FeatureType, required: true, description: 'The type of the feature.' }),
    name: t.string({ description: 'Ignored; the feature’s name applies.' }),
    slug: t.string({ description: 'Ignored; the feature’s slug applies.' }),
    productFeatureId: t.id({
      description: 'The product feature that grants the feature; absent when added manually.',
    }),
    amount: t.field({
      type: 'SafeInt',
      description:
        'The number of credits or units of capacity, 1 or more; not allowed for a toggle.',
    }),
    usageMeterId: t.id({ description: 'The feature’s usage meter, for credits only.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'The renewal frequency of the credits, for credits only.',
    }),
    resourceId: t.id({ description: 'The feature’s resource, for capacity only.' }),
    expiredAt: t.field({
      type: 'Timestamp',
      description: 'The time when the feature expires; never when absent.',
    }),
    detachedAt: t.field({
      type: 'Timestamp',
      description: 'The time since which its product no longer grants it.',
    }),
    detachedReason: t.string({ description: 'The reason why its product no longer grants it.' }),
    manuallyCreated: t.boolean({
      description: 'Whether it was added manually; false when absent.',
    }),
  }),
});

const UpdateSubscriptionItemFeature = builder.inputType('UpdateSubscriptionItemFeatureInput', {
  description: 'Changes to a feature of a subscription item; absent fields do not change.',
  fields: (t) => ({
    id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
    subscriptionItemId: t.id({ description: 'Cannot change; it must equal the present value.' }),
    featureId: t.id({ description: 'Cannot change; it must equal the present value.' }),
    productFeatureId: t.id({ description: 'Cannot change; it must equal the present value.' }),
    type: t.field({
      type: FeatureType,
      description: 'Cannot change; it must equal the present value.',
    }),
    amount: t.field({
      type: 'SafeInt',
      description: 'The number of credits or units of capacity, 1 or more.',
    }),
    usageMeterId: t.id({ description: 'Cannot change; it must equal the present value.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'The renewal frequency of the credits.',
    }),
    resourceId: t.id({ description: 'Cannot change; it must equal the present value.' }),
    expiredAt: t.field({ type: 'Timestamp', description: 'The time when the feature expires.' }),
    detachedAt: t.field({
      type: 'Timestamp',
      description: 'The time since which its product no longer grants it.',
    }),
    detachedReason: t.string({ description: 'The reason why its product no longer grants it.' }),
    manuallyCreated: t.boolean({ description: 'Whether it was added manually.' }),
  }),
});

builder.mutationFields((t) => ({
  createSubscriptionItemFeature: t.field({
    type: payload('createSubscriptionItemFeature', SubscriptionItemFeature, 'The new feature.'),
    description:
      'Adds a feature to a subscription item, in addition to its product’s features. Errors: BAD_REQUEST for records that do not match or have ended.',
    args: {
      subscriptionItemFeature: t.arg({
        type: CreateSubscriptionItemFeature,
        required: true,
        description: 'The feature and its subscription item.',
      }),
    },
    validate: { schema: createSubscriptionItemFeatureInput },
    resolve: (_root, args, session) => createSubscriptionItemFeature(session, args),
  }),
  updateSubscriptionItemFeature: t.field({
    type: payload('updateSubscriptionItemFeature', SubscriptionItemFeature, 'The changed feature.'),
    description:
      'Changes the amount and the expiry of a subscription item’s feature. Errors: NOT_FOUND; BAD_REQUEST for another item, feature or type, and for a field of another type.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription item feature.' }),
      subscriptionItemFeature: t.arg({
        type: UpdateSubscriptionItemFeature,
        required: true,
        description: 'The changes.',
      }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateSubscriptionItemFeatureInput },
    resolve: (_root, args, session) => updateSubscriptionItemFeature(session, args),
  }),
  expireSubscriptionItemFeature: t.field({
    type: payload('expireSubscriptionItemFeature', SubscriptionItemFeature, 'The expired feature.'),
    description: 'Expires a feature of a subscription item. Errors: NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription item feature.' }),
      expiredAt: t.arg({
        type: 'Timestamp',
        description: 'The time of expiry, which may be in the future; now when absent.',
      }),
    },
    validate: { schema: expireSubscriptionItemFeatureInput },
    resolve: (_root, args, session) => expireSubscriptionItemFeature(session, args),
  }),
}));
