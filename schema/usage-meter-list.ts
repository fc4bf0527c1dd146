import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byEnum, byText } from './engine/where.ts';
import { AggregationType } from './usage-meters.ts';

const UsageMeterFilter = builder.inputType('UsageMeterFilter', {
  description: 'A filter for usage meters; all given fields must match.',
  fields: (t) => ({
    slug: t.string({ description: 'The slug.' }),
    aggregationType: t.field({ type: AggregationType, description: 'The aggregation type.' }),
  }),
});

readable({
  one: 'usageMeter',
  many: 'usageMeters',
  noun: 'usage meter',
  entity: UsageMeter,
  filter: UsageMeterFilter,
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
