import { Feature, featureTypes, renewalFrequencies } from '#domain/features/feature.ts';
import { Resource } from '#domain/resources/resource.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

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
