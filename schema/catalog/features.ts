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
import { flag, int, nullable, of, text } from '../engine/fields.ts';
import { input, object, record } from '../engine/types.ts';

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

const Rollover = object<RolloverTerms>('Rollover')({
  description: 'How credits that a billing period leaves unused continue in later ones.',
  fields: () => ({
    periods: int('The number of later billing periods in which they can be used, 1 or more.'),
    limit: nullable.safeInt(
      'The largest number of credits of one period that roll over, for one unit of the product; null without this limit.',
    ),
    percent: nullable.int(
      'The same limit as a percentage of the granted credits, 1 to 100; null without this limit.',
    ),
  }),
});

export const RolloverInput = input('RolloverInput', {
  description:
    'How credits that a billing period leaves unused continue in later ones. Without a limit all of them do.',
  fields: {
    periods: nullable.int(
      'The number of later billing periods in which they can be used, 1 to 120; 1 when absent.',
    ),
    limit: nullable.safeInt(
      'The largest number of credits of one period that roll over, for one unit of the product. Not with percent.',
    ),
    percent: nullable.int('The same limit as a percentage of the granted credits, 1 to 100.'),
  },
});

record(Feature, {
  description: 'A feature that products grant: access, usage credits or capacity.',
  fields: (t) => ({
    type: of(FeatureType, 'The type of the feature.'),
    slug: text('The slug, unique in the pricing model.'),
    name: text('The display name.'),
    description: text('The description.'),
    active: flag('Whether products can grant the feature.'),
    amount: nullable.safeInt(
      'The number of credits or units of capacity, 1 or more; null for a toggle. It is for each unit of an item, unless `per` states otherwise: an item of quantity 12 grants 12 times as many.',
    ),
    per: nullable.of(
      GrantBasis,
      'The basis of the amount of credits; null unless the feature grants credits.',
    ),
    usageMeterId: nullable.id(
      'The usage meter of the granted credits; null unless the feature grants credits.',
    ),
    renewalFrequency: nullable.of(
      RenewalFrequency,
      'The renewal frequency of the credits; null unless the feature grants credits.',
    ),
    rollover: nullable.of(
      Rollover,
      'How unused credits roll over; null where they expire with their period.',
    ),
    resourceId: nullable.id(
      'The resource of the granted capacity; null unless the feature grants capacity.',
    ),
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
