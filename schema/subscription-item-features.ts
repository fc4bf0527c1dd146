import { Feature } from '#domain/features/feature.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { FeatureType, RenewalFrequency } from './features.ts';

builder.node(SubscriptionItemFeature, {
  name: 'SubscriptionItemFeature',
  description: 'That a subscription item grants a feature, until it expires.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`sub_feature_…`' },
  loadOne: (id, { em }) => em.findOne(SubscriptionItemFeature, id),
  fields: (t) => ({
    subscriptionItemId: t.exposeID('subscriptionItemId', { description: 'What grants it.' }),
    featureId: t.exposeID('featureId', { description: 'The feature.' }),
    productFeatureId: t.exposeID('productFeatureId', {
      nullable: true,
      description: 'By which product it came; null for what was added by hand, and when detached.',
    }),
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
      description: 'Credits or units of capacity; null for a toggle.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The meter that credits are for; null unless it grants credits.',
    }),
    renewalFrequency: t.expose('renewalFrequency', {
      type: RenewalFrequency,
      nullable: true,
      description: 'How often credits are granted; null unless it grants credits.',
    }),
    resourceId: t.exposeID('resourceId', {
      nullable: true,
      description: 'The resource; null unless it grants capacity.',
    }),
    manuallyCreated: t.exposeBoolean('manuallyCreated', {
      description: 'Whether it was added by hand.',
    }),
    expiredAt: t.expose('expiredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it ends or has ended; null while it does not.',
    }),
    detachedAt: t.expose('detachedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Since when its product does not grant it any longer.',
    }),
    detachedReason: t.exposeString('detachedReason', {
      nullable: true,
      description: 'Why its product does not grant it any longer.',
    }),
    feature: t.field({
      type: Feature,
      description: 'The feature.',
      resolve: ({ feature }) => feature.loadOrFail(),
    }),
  }),
});

const SubscriptionItemFeatureFilter = builder.inputType('SubscriptionItemFeatureFilter', {
  description: 'Which features of subscription items to list.',
  fields: (t) => ({
    subscriptionItem: t.id({ description: 'Of the subscription item with this id.' }),
    subscriptionId: t.id({ description: 'Of the subscription with this id.' }),
    customerId: t.id({ description: 'Of the customer with this id.' }),
    feature: t.id({ description: 'Of the feature with this id.' }),
    type: t.field({ type: FeatureType, description: 'Of this type.' }),
  }),
});

readable({
  one: 'subscriptionItemFeature',
  many: 'subscriptionItemFeatures',
  noun: 'subscription item feature',
  entity: SubscriptionItemFeature,
  filter: SubscriptionItemFeatureFilter,
});
