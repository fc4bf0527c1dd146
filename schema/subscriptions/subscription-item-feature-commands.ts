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
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, repeatedId } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';

const CreateSubscriptionItemFeature = input('CreateSubscriptionItemFeatureInput', {
  description: 'A new feature of a subscription item. Its type decides which fields apply.',
  fields: {
    subscriptionItemId: id('The subscription item that grants the feature.'),
    featureId: id('The feature, which must be active.'),
    type: of(FeatureType, 'The type of the feature.'),
    name: nullable.text('Ignored; the feature’s name applies.'),
    slug: nullable.text('Ignored; the feature’s slug applies.'),
    productFeatureId: nullable.id(
      'The product feature that grants the feature; absent when added manually.',
    ),
    amount: nullable.safeInt(
      'The number of credits or units of capacity, 1 or more; not allowed for a toggle.',
    ),
    usageMeterId: nullable.id('The feature’s usage meter, for credits only.'),
    renewalFrequency: nullable.of(
      RenewalFrequency,
      'The renewal frequency of the credits, for credits only.',
    ),
    resourceId: nullable.id('The feature’s resource, for capacity only.'),
    expiredAt: nullable.time('The time when the feature expires; never when absent.'),
    detachedAt: nullable.time('The time since which its product no longer grants it.'),
    detachedReason: nullable.text('The reason why its product no longer grants it.'),
    manuallyCreated: nullable.flag('Whether it was added manually; false when absent.'),
  },
});

const UpdateSubscriptionItemFeature = input('UpdateSubscriptionItemFeatureInput', {
  description: 'Changes to a feature of a subscription item; absent fields do not change.',
  fields: {
    id: repeatedId,
    subscriptionItemId: nullable.id('Cannot change; it must equal the present value.'),
    featureId: nullable.id('Cannot change; it must equal the present value.'),
    productFeatureId: nullable.id('Cannot change; it must equal the present value.'),
    type: nullable.of(FeatureType, 'Cannot change; it must equal the present value.'),
    amount: nullable.safeInt('The number of credits or units of capacity, 1 or more.'),
    usageMeterId: nullable.id('Cannot change; it must equal the present value.'),
    renewalFrequency: nullable.of(RenewalFrequency, 'The renewal frequency of the credits.'),
    resourceId: nullable.id('Cannot change; it must equal the present value.'),
    expiredAt: nullable.time('The time when the feature expires.'),
    detachedAt: nullable.time('The time since which its product no longer grants it.'),
    detachedReason: nullable.text('The reason why its product no longer grants it.'),
    manuallyCreated: nullable.flag('Whether it was added manually.'),
  },
});

mutation('createSubscriptionItemFeature', {
  returns: [SubscriptionItemFeature, 'The new feature.'],
  description:
    'Adds a feature to a subscription item, in addition to its product’s features. Errors: BAD_REQUEST for records that do not match or have ended.',
  args: {
    subscriptionItemFeature: of(
      CreateSubscriptionItemFeature,
      'The feature and its subscription item.',
    ),
  },
  input: createSubscriptionItemFeatureInput,
  command: createSubscriptionItemFeature,
});

mutation('updateSubscriptionItemFeature', {
  returns: [SubscriptionItemFeature, 'The changed feature.'],
  description:
    'Changes the amount and the expiry of a subscription item’s feature. Errors: NOT_FOUND; BAD_REQUEST for another item, feature or type, and for a field of another type.',
  args: {
    id: id('The id of the subscription item feature.'),
    subscriptionItemFeature: of(UpdateSubscriptionItemFeature, 'The changes.'),
    expectedVersion,
  },
  input: updateSubscriptionItemFeatureInput,
  command: updateSubscriptionItemFeature,
});

mutation('expireSubscriptionItemFeature', {
  returns: [SubscriptionItemFeature, 'The expired feature.'],
  description: 'Expires a feature of a subscription item. Errors: NOT_FOUND.',
  args: {
    id: id('The id of the subscription item feature.'),
    expiredAt: nullable.time('The time of expiry, which may be in the future; now when absent.'),
  },
  input: expireSubscriptionItemFeatureInput,
  command: expireSubscriptionItemFeature,
});
