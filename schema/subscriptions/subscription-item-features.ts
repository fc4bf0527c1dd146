import { Feature } from '#domain/model/catalog/feature.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { FeatureType, RenewalFrequency } from '../catalog/features.ts';
import { flag, id, nullable, of } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byFlag, byId, byTime } from '../engine/where.ts';

record(SubscriptionItemFeature, {
  description: 'The grant of a feature by a subscription item, until it expires.',
  fields: (t) => ({
    ...withId(
      'subscriptionItem',
      SubscriptionItem,
      'The subscription item that grants the feature.',
    ),
    featureId: id('The feature.'),
    ...withOptionalId(
      'productFeature',
      ProductFeature,
      'The product feature that grants the feature; null when added manually or detached.',
    ),
    type: of(FeatureType, 'The type of the feature.'),
    name: t.string({
      description: 'The name of the feature.',
      resolve: async ({ feature }) => (await feature.loadOrFail()).name,
    }),
    slug: t.string({
      description: 'The slug of the feature.',
      resolve: async ({ feature }) => (await feature.loadOrFail()).slug,
    }),
    amount: nullable.safeInt('The number of credits or units of capacity; null for a toggle.'),
    ...withOptionalId(
      'usageMeter',
      UsageMeter,
      'The usage meter of the credits; null unless the feature grants credits.',
    ),
    renewalFrequency: nullable.of(
      RenewalFrequency,
      'The renewal frequency of the credits; null unless the feature grants credits.',
    ),
    ...withOptionalId(
      'resource',
      Resource,
      'The resource of the capacity; null unless the feature grants capacity.',
    ),
    manuallyCreated: flag('Whether it was added manually.'),
    expiredAt: nullable.time('The time when it expires or expired; null when no end is set.'),
    detachedAt: nullable.time('The time since which its product no longer grants it.'),
    detachedReason: nullable.text('The reason why its product no longer grants it.'),
    feature: t.field({
      type: Feature,
      description: 'The feature.',
      resolve: ({ feature }) => feature.loadOrFail(),
    }),
  }),
});

readable({
  one: 'subscriptionItemFeature',
  many: 'subscriptionItemFeatures',
  noun: 'subscription item feature',
  entity: SubscriptionItemFeature,
  where: {
    subscriptionItem: byId('subscriptionItem', 'The subscription item.'),
    subscription: byId('subscriptionId', 'The subscription.'),
    customer: byId('customerId', 'The customer.'),
    feature: byId('feature', 'The feature.'),
    usageMeter: byId('usageMeterId', 'The usage meter of the granted credits.'),
    resource: byId('resourceId', 'The resource of the granted capacity.'),
    type: byEnum(FeatureType, 'type', 'The type.'),
    manuallyCreated: byFlag('manuallyCreated', 'Added manually (true) or not (false).'),
    expiredAt: byTime('expiredAt', 'The time when the grant ends.'),
  },
});
