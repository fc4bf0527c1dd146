import { Feature } from '#domain/model/catalog/feature.ts';
import { readable } from '../engine/readable.ts';
import { byEnum, byFlag, byId, byText } from '../engine/where.ts';
import { FeatureType } from './features.ts';

readable({
  one: 'feature',
  many: 'features',
  noun: 'feature',
  entity: Feature,
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
