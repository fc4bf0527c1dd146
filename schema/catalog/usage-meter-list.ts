import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { readable } from '../engine/readable.ts';
import { byEnum, byText } from '../engine/where.ts';
import { AggregationType } from './usage-meters.ts';

readable({
  one: 'usageMeter',
  many: 'usageMeters',
  noun: 'usage meter',
  entity: UsageMeter,
  catalog: true,
  where: {
    name: byText('name', 'The display name.'),
    slug: byText('slug', 'The slug.'),
    aggregationType: byEnum(AggregationType, 'aggregationType', 'The aggregation type.'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});
