import { Price } from '#domain/prices/price.ts';
import { aggregationTypes, UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

/** How usage events become one number. */
export const AggregationType = builder.enumType('AggregationType', {
  description: 'How the usage events of a period become one number.',
  values: aggregationTypes,
});

builder.node(UsageMeter, {
  name: 'UsageMeter',
  description: 'Something that customers use and that is counted, such as API calls.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`usage_meter_…`' },
  loadOne: (id, { em }) => em.findOne(UsageMeter, id),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name for people.' }),
    slug: t.exposeString('slug', {
      description: 'The name for programs, unique in the pricing model.',
    }),
    aggregationType: t.expose('aggregationType', {
      type: AggregationType,
      description: 'How its usage events become one number.',
    }),
    prices: t.field({
      type: [Price],
      description: 'Its prices in use, oldest first; the protected no-charge price is one of them.',
      resolve: async (meter) => (await meter.prices.loadItems()).filter(({ active }) => active),
    }),
    defaultPrice: t.field({
      type: Price,
      nullable: true,
      description: 'What its usage costs when nothing else is agreed.',
      resolve: async (meter) =>
        (await meter.prices.loadItems()).find(({ isDefault }) => isDefault) ?? null,
    }),
  }),
});

const UsageMeterFilter = builder.inputType('UsageMeterFilter', {
  description: 'Which usage meters to list.',
  fields: (t) => ({
    slug: t.string({ description: 'With this slug.' }),
    aggregationType: t.field({ type: AggregationType, description: 'Aggregated in this way.' }),
  }),
});

readable({
  one: 'usageMeter',
  many: 'usageMeters',
  noun: 'usage meter',
  entity: UsageMeter,
  filter: UsageMeterFilter,
  catalog: true,
});
