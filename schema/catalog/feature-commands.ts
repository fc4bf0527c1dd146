import {
  createFeature,
  createFeatureInput,
} from '#domain/catalog/commands/features/create-feature.ts';
import {
  updateFeature,
  updateFeatureInput,
} from '#domain/catalog/commands/features/update-feature.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, optional, repeatedId, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { FeatureType, GrantBasis, RenewalFrequency, RolloverInput } from './features.ts';

const terms = {
  slug: text('The slug, unique in the pricing model.'),
  name: text('The display name.'),
  description: text('The description.'),
  amount: nullable.safeInt(
    'The number of credits or units of capacity, 1 or more; for each unit of an item, unless `per` states otherwise.',
  ),
  usageMeterId: nullable.id('The usage meter of the granted credits.'),
  renewalFrequency: nullable.of(RenewalFrequency, 'The renewal frequency of the credits.'),
  resourceId: nullable.id('The resource of the granted capacity.'),
};

const CreateFeature = input('CreateFeatureInput', {
  description: 'A new feature. Its type decides which of the last fields apply.',
  fields: {
    ...terms,
    type: of(FeatureType, 'The type, which decides which fields apply.'),
    pricingModelId: nullable.id('The API key’s pricing model, which is the default.'),
    active: nullable.flag('Whether products can grant the feature; true when absent.'),
    per: nullable.of(
      GrantBasis,
      'The basis of the amount of credits; each unit of an item when absent.',
    ),
    rollover: nullable.of(
      RolloverInput,
      'How unused credits roll over; only for credits of every billing period. They expire when absent.',
    ),
  },
});

const UpdateFeature = input('UpdateFeatureInput', {
  description: 'Changes to a feature; absent fields do not change.',
  fields: {
    id: repeatedId,
    ...optional(terms),
    type: nullable.of(FeatureType, 'The type, repeated; it cannot change.'),
    active: nullable.flag('False ends the feature on every product; true restores it there.'),
    per: nullable.of(GrantBasis, 'The basis of the amount of credits of later grants.'),
    rollover: nullable.of(
      RolloverInput,
      'How unused credits of later grants roll over; null lets them expire with their period.',
    ),
  },
});

mutation('createFeature', {
  returns: [Feature, 'The new feature.'],
  description:
    'Creates a feature. Errors: BAD_REQUEST for a taken slug, a field of another type, an unknown usage meter or an unknown resource.',
  args: { feature: of(CreateFeature, 'The feature.') },
  input: createFeatureInput,
  command: createFeature,
});

mutation('updateFeature', {
  returns: [Feature, 'The changed feature.'],
  description:
    'Changes a feature except its type. Errors: NOT_FOUND; BAD_REQUEST for a taken slug or a field of another type.',
  args: {
    id: id('The id of the feature.'),
    feature: of(UpdateFeature, 'The changes.'),
    expectedVersion,
  },
  input: updateFeatureInput,
  command: updateFeature,
});
