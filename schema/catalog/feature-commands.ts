import {
  createFeature,
  createFeatureInput,
} from '#domain/catalog/commands/features/create-feature.ts';
import {
  updateFeature,
  updateFeatureInput,
} from '#domain/catalog/commands/features/update-feature.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { payload } from '../engine/payload.ts';
import { FeatureType, GrantBasis, RenewalFrequency, RolloverInput } from './features.ts';

const CreateFeature = builder.inputType('CreateFeatureInput', {
  description: 'A new feature. Its type decides which of the last fields apply.',
  fields: (t) => ({
    type: t.field({
      type: FeatureType,
      required: true,
      description: 'The type, which decides which fields apply.',
    }),
    slug: t.string({
      required: true,
      description: 'The slug, unique in the pricing model.',
    }),
    name: t.string({ required: true, description: 'The display name.' }),
    description: t.string({ required: true, description: 'The description.' }),
    pricingModelId: t.id({
      description: 'The API key’s pricing model, which is the default.',
    }),
    active: t.boolean({ description: 'Whether products can grant the feature; true when absent.' }),
    amount: t.field({
      type: 'SafeInt',
      description:
        'The number of credits or units of capacity, 1 or more; for each unit of an item, unless `per` states otherwise.',
    }),
    usageMeterId: t.id({ description: 'The usage meter of the granted credits.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'The renewal frequency of the credits.',
    }),
    per: t.field({
      type: GrantBasis,
      description: 'The basis of the amount of credits; each unit of an item when absent.',
    }),
    rollover: t.field({
      type: RolloverInput,
      description:
        'How unused credits roll over; only for credits of every billing period. They expire when absent.',
    }),
    resourceId: t.id({ description: 'The resource of the granted capacity.' }),
  }),
});

const UpdateFeature = builder.inputType('UpdateFeatureInput', {
  description: 'Changes to a feature; absent fields do not change.',
  fields: (t) => ({
    id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
    type: t.field({ type: FeatureType, description: 'The type, repeated; it cannot change.' }),
    slug: t.string({ description: 'The slug, unique in the pricing model.' }),
    name: t.string({ description: 'The display name.' }),
    description: t.string({ description: 'The description.' }),
    active: t.boolean({
      description: 'False ends the feature on every product; true restores it there.',
    }),
    amount: t.field({
      type: 'SafeInt',
      description:
        'The number of credits or units of capacity, 1 or more; for each unit of an item, unless `per` states otherwise.',
    }),
    usageMeterId: t.id({ description: 'The usage meter of the granted credits.' }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'The renewal frequency of the credits.',
    }),
    per: t.field({
      type: GrantBasis,
      description: 'The basis of the amount of credits of later grants.',
    }),
    rollover: t.field({
      type: RolloverInput,
      description:
        'How unused credits of later grants roll over; null lets them expire with their period.',
    }),
    resourceId: t.id({ description: 'The resource of the granted capacity.' }),
  }),
});

builder.mutationFields((t) => ({
  createFeature: t.field({
    type: payload('createFeature', Feature, 'The new feature.'),
    description:
      'Creates a feature. Errors: BAD_REQUEST for a taken slug, a field of another type, an unknown usage meter or an unknown resource.',
    args: { feature: t.arg({ type: CreateFeature, required: true, description: 'The feature.' }) },
    validate: { schema: createFeatureInput },
    resolve: (_root, args, session) => createFeature(session, args),
  }),
  updateFeature: t.field({
    type: payload('updateFeature', Feature, 'The changed feature.'),
    description:
      'Changes a feature except its type. Errors: NOT_FOUND; BAD_REQUEST for a taken slug or a field of another type.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the feature.' }),
      feature: t.arg({ type: UpdateFeature, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateFeatureInput },
    resolve: (_root, args, session) => updateFeature(session, args),
  }),
}));
