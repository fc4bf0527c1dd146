import { createFeature, createFeatureInput } from '#domain/features/create-feature.ts';
import { Feature } from '#domain/features/feature.ts';
import { updateFeature, updateFeatureInput } from '#domain/features/update-feature.ts';
import { builder } from './engine/builder.ts';
import { FeatureType, RenewalFrequency } from './features.ts';

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
