import { Feature } from '#domain/model/catalog/feature.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { FeatureType, RenewalFrequency } from '../catalog/features.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
import { byEnum, byFlag, byId, byTime } from '../engine/where.ts';

builder.node(SubscriptionItemFeature, {
  name: 'SubscriptionItemFeature',
  description: 'The grant of a feature by a subscription item, until it expires.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('sub_feature'),
  loadOne: loadOne(SubscriptionItemFeature),
  fields: (t) => ({
    subscriptionItemId: t.exposeID('subscriptionItemId', {
      description: 'The subscription item that grants the feature.',
    }),
    subscriptionItem: t.field(
      reference(
        SubscriptionItem,
        'subscriptionItemId',
        'The subscription item that grants the feature.',
      ),
    ),
    featureId: t.exposeID('featureId', { description: 'The feature.' }),
    productFeatureId: t.exposeID('productFeatureId', {
      nullable: true,
      description:
        'The product feature that grants the feature; null when added manually or detached.',
    }),
    productFeature: t.field(
      optionalReference(
        ProductFeature,
        'productFeatureId',
        'The product feature that grants the feature; null when added manually or detached.',
      ),
    ),
    type: t.expose('type', { type: FeatureType, description: 'The type of the feature.' }),
    name: t.string({
      description: 'The name of the feature.',
      resolve: async ({ feature }) => (await feature.loadOrFail()).name,
    }),
    slug: t.string({
      description: 'The slug of the feature.',
      resolve: async ({ feature }) => (await feature.loadOrFail()).slug,
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      nullable: true,
      description: 'The number of credits or units of capacity; null for a toggle.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The usage meter of the credits; null unless the feature grants credits.',
    }),
    usageMeter: t.field(
      optionalReference(
        UsageMeter,
        'usageMeterId',
        'The usage meter of the credits; null unless the feature grants credits.',
      ),
    ),
    renewalFrequency: t.expose('renewalFrequency', {
      type: RenewalFrequency,
      nullable: true,
      description: 'The renewal frequency of the credits; null unless the feature grants credits.',
    }),
    resourceId: t.exposeID('resourceId', {
      nullable: true,
      description: 'The resource of the capacity; null unless the feature grants capacity.',
    }),
    resource: t.field(
      optionalReference(
        Resource,
        'resourceId',
        'The resource of the capacity; null unless the feature grants capacity.',
      ),
    ),
    manuallyCreated: t.exposeBoolean('manuallyCreated', {
      description: 'Whether it was added manually.',
    }),
    expiredAt: t.expose('expiredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when it expires or expired; null when no end is set.',
    }),
    detachedAt: t.expose('detachedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time since which its product no longer grants it.',
    }),
    detachedReason: t.exposeString('detachedReason', {
      nullable: true,
      description: 'The reason why its product no longer grants it.',
    }),
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
