import {
  Feature,
  featureTypes,
  grantBases,
  renewalFrequencies,
} from '#domain/model/catalog/feature.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import type { RolloverTerms } from '#domain/model/catalog/rollover.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/readable.ts';

export const FeatureType = builder.enumType('FeatureType', {
  description: 'The type of a feature: access, usage credits or capacity.',
  values: described(featureTypes, {
    toggle: 'The feature grants access.',
    usage_credit_grant: 'The feature grants usage credits.',
    resource: 'The feature grants capacity of a resource.',
  }),
});

export const RenewalFrequency = builder.enumType('RenewalFrequency', {
  description: 'The renewal frequency of usage credits.',
  values: described(renewalFrequencies, {
    once: 'The credits are granted once.',
    every_billing_period: 'The credits are granted in every billing period.',
  }),
});

export const GrantBasis = builder.enumType('GrantBasis', {
  description: 'The basis of the amount of usage credits.',
  values: described(grantBases, {
    item: 'The amount is for each unit of an item: an item of quantity 12 grants it 12 times.',
    subscription:
      'The amount is for the subscription, whatever the quantity of its items, and once for a purchase.',
  }),
});

const Rollover = builder.objectRef<RolloverTerms>('Rollover').implement({
  description: 'How credits that a billing period leaves unused continue in later ones.',
  fields: (t) => ({
    periods: t.exposeInt('periods', {
      description: 'The number of later billing periods in which they can be used, 1 or more.',
    }),
    limit: t.expose('limit', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The largest number of credits of one period that roll over, for one unit of the product; null without this limit.',
    }),
    percent: t.exposeInt('percent', {
      nullable: true,
      description:
        'The same limit as a percentage of the granted credits, 1 to 100; null without this limit.',
    }),
  }),
});

export const RolloverInput = builder.inputType('RolloverInput', {
  description:
    'How credits that a billing period leaves unused continue in later ones. Without a limit all of them do.',
  fields: (t) => ({
    periods: t.int({
      description:
        'The number of later billing periods in which they can be used, 1 to 120; 1 when absent.',
    }),
    limit: t.field({
      type: 'SafeInt',
      description:
        'The largest number of credits of one period that roll over, for one unit of the product. Not with percent.',
    }),
    percent: t.int({
      description: 'The same limit as a percentage of the granted credits, 1 to 100.',
    }),
  }),
});

builder.node(Feature, {
  name: 'Feature',
  description: 'A feature that products grant: access, usage credits or capacity.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('feature'),
  loadOne: loadOne(Feature),
  fields: (t) => ({
    type: t.expose('type', { type: FeatureType, description: 'The type of the feature.' }),
    slug: t.exposeString('slug', {
      description: 'The slug, unique in the pricing model.',
    }),
    name: t.exposeString('name', { description: 'The display name.' }),
    description: t.exposeString('description', { description: 'The description.' }),
    active: t.exposeBoolean('active', { description: 'Whether products can grant the feature.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The number of credits or units of capacity, 1 or more; null for a toggle. It is for each unit of an item, unless `per` states otherwise: an item of quantity 12 grants 12 times as many.',
    }),
    per: t.expose('per', {
      type: GrantBasis,
      nullable: true,
      description: 'The basis of the amount of credits; null unless the feature grants credits.',
    }),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description:
        'The usage meter of the granted credits; null unless the feature grants credits.',
    }),
    renewalFrequency: t.expose('renewalFrequency', {
      type: RenewalFrequency,
      nullable: true,
      description: 'The renewal frequency of the credits; null unless the feature grants credits.',
    }),
    rollover: t.expose('rollover', {
      type: Rollover,
      nullable: true,
      description: 'How unused credits roll over; null where they expire with their period.',
    }),
    resourceId: t.exposeID('resourceId', {
      nullable: true,
      description: 'The resource of the granted capacity; null unless the feature grants capacity.',
    }),
    usageMeter: t.field({
      type: UsageMeter,
      nullable: true,
      description: 'The usage meter of the granted credits.',
      resolve: (feature) => feature.usageMeter?.load() ?? null,
    }),
    resource: t.field({
      type: Resource,
      nullable: true,
      description: 'The resource of the granted capacity.',
      resolve: (feature) => feature.resource?.load() ?? null,
    }),
  }),
});
