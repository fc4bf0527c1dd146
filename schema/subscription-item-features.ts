import { Feature } from '#domain/features/feature.ts';
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
import { OrganizationRecord, PricingModelRecord, readable } from './engine/records.ts';
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
