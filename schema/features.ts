import { createFeature, createFeatureInput } from '#domain/features/create-feature.ts';
import { Feature, featureTypes, renewalFrequencies } from '#domain/features/feature.ts';
import { updateFeature, updateFeatureInput } from '#domain/features/update-feature.ts';
import { Resource } from '#domain/resources/resource.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/records.ts';

export const FeatureType = builder.enumType('FeatureType', {
  description: 'Whether a feature grants access, usage credits or capacity.',
  values: featureTypes,
});

export const RenewalFrequency = builder.enumType('RenewalFrequency', {
  description: 'Whether usage credits are granted once or in every billing period.',
  values: renewalFrequencies,
});

builder.node(Feature, {
  name: 'Feature',
  description: 'What a product grants: access, usage credits or capacity.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`feature_…`' },
  loadOne: (id, { em }) => em.findOne(Feature, id),
  fields: (t) => ({
    type: t.expose('type', { type: FeatureType, description: 'What kind of feature it is.' }),
    slug: t.exposeString('slug', {
      description: 'The name for programs, unique in the pricing model.',
    }),
    name: t.exposeString('name', { description: 'The name for people.' }),
    description: t.exposeString('description', { description: 'What it is, for people.' }),
    active: t.exposeBoolean('active', { description: 'Whether products can grant it.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Credits or units of capacity, 1 or more; null for a toggle.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The usage meter whose credits it grants; null but for usage credit grants.',
    }),
    renewalFrequency: t.expose('renewalFrequency', {
      type: RenewalFrequency,
      nullable: true,
      description: 'How often it grants credits; null but for usage credit grants.',
    }),
    resourceId: t.exposeID('resourceId', {
      nullable: true,
      description: 'The resource whose capacity it grants; null but for resource features.',
    }),
    usageMeter: t.field({
      type: UsageMeter,
      nullable: true,
      description: 'The usage meter whose credits it grants.',
      resolve: (feature) => feature.usageMeter?.load() ?? null,
    }),
    resource: t.field({
      type: Resource,
      nullable: true,
      description: 'The resource whose capacity it grants.',
      resolve: (feature) => feature.resource?.load() ?? null,
    }),
  }),
});

const FeatureFilter = builder.inputType('FeatureFilter', {
  description: 'Which features to list.',
  fields: (t) => ({
    type: t.field({ type: FeatureType, description: 'Of this type.' }),
    slug: t.string({ description: 'With this slug.' }),
    active: t.boolean({ description: 'Active (true) or not.' }),
    usageMeter: t.id({ description: 'Granting credits of the usage meter with this id.' }),
    resource: t.id({ description: 'Granting capacity of the resource with this id.' }),
  }),
});

readable({
  one: 'feature',
  many: 'features',
  noun: 'feature',
  entity: Feature,
  filter: FeatureFilter,
  catalog: true,
});

const CreateFeature = builder.inputType('CreateFeatureInput', {
  description: 'A new feature; its type decides which of the last fields it has.',
  fields: (t) => ({
    type: t.field({
      type: FeatureType,
      required: true,
      description: 'Decides which fields it has.',
    }),
    slug: t.string({
      required: true,
      description: 'The name for programs, unique in the pricing model.',
    }),
    name: t.string({ required: true, description: 'The name for people.' }),
    description: t.string({ required: true, description: 'What it is, for people.' }),
    pricingModelId: t.id({
      description: 'The pricing model of the API key, which is the default.',
    }),
    active: t.boolean({ description: 'Whether products can grant it; true when absent.' }),
    amount: t.field({ type: 'SafeInt', description: 'Credits or units of capacity, 1 or more.' }),
    usageMeterId: t.id({ description: 'The usage meter whose credits it grants.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'How often it grants credits.',
    }),
    resourceId: t.id({ description: 'The resource whose capacity it grants.' }),
  }),
});

const UpdateFeature = builder.inputType('UpdateFeatureInput', {
  description: 'Changes to a feature; what is absent stays.',
  fields: (t) => ({
    id: t.id({ description: 'The id again; must equal that of the call.' }),
    type: t.field({ type: FeatureType, description: 'The type again; it cannot change.' }),
    slug: t.string({ description: 'The name for programs, unique in the pricing model.' }),
    name: t.string({ description: 'The name for people.' }),
    description: t.string({ description: 'What it is, for people.' }),
    active: t.boolean({
      description: 'False ends it on every product, true brings it back there.',
    }),
    amount: t.field({ type: 'SafeInt', description: 'Credits or units of capacity, 1 or more.' }),
    usageMeterId: t.id({ description: 'The usage meter whose credits it grants.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'How often it grants credits.',
    }),
    resourceId: t.id({ description: 'The resource whose capacity it grants.' }),
  }),
});

builder.mutationFields((t) => ({
  createFeature: t.field({
    type: Feature,
    description:
      'Adds a feature. Errors: BAD_REQUEST for a taken slug, a field of another type, an unknown usage meter or resource.',
    args: { feature: t.arg({ type: CreateFeature, required: true, description: 'The feature.' }) },
    validate: { schema: createFeatureInput },
    resolve: (_root, args, session) => createFeature(session, args),
  }),
  updateFeature: t.field({
    type: Feature,
    description:
      'Changes a feature, not its type. Errors: NOT_FOUND; BAD_REQUEST for a taken slug or a field of another type.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the feature.' }),
      feature: t.arg({ type: UpdateFeature, required: true, description: 'The changes.' }),
    },
    validate: { schema: updateFeatureInput },
    resolve: (_root, args, session) => updateFeature(session, args),
  }),
}));
