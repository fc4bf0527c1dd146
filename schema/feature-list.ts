import { Feature } from '#domain/features/feature.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byEnum, byFlag, byId, byText } from './engine/where.ts';
import { FeatureType } from './features.ts';

const FeatureFilter = builder.inputType('FeatureFilter', {
  description: 'A filter for features; all given fields must match.',
  fields: (t) => ({
    type: t.field({ type: FeatureType, description: 'The type.' }),
    slug: t.string({ description: 'The slug.' }),
    active: t.boolean({ description: 'Active (true) or inactive (false).' }),
    usageMeter: t.id({ description: 'The id of the usage meter of the granted credits.' }),
    resource: t.id({ description: 'The id of the resource of the granted capacity.' }),
  }),
});

readable({
  one: 'feature',
  many: 'features',
  noun: 'feature',
  entity: Feature,
  filter: FeatureFilter,
  catalog: true,
  where: {
    name: byText('name', 'The display name.'),
    slug: byText('slug', 'The slug.'),
    type: byEnum(FeatureType, 'type', 'The type.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
    usageMeter: byId('usageMeter', 'The usage meter of the granted credits.'),
    resource: byId('resource', 'The resource of the granted capacity.'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});
