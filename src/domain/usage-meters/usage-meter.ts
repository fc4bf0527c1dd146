import { defineEntity, p } from '@mikro-orm/core';
import { oldestFirst, tenantColumns } from '#domain/kernel/columns.ts';
import { Price } from '#domain/prices/price.ts';

/** How the events of a period become one number (reference §7.5). */
export const aggregationTypes = [
  'sum',
  'count_distinct_properties',
  'count',
  'max',
  'last',
] as const;

const UsageMeterSchema = defineEntity({
  name: 'UsageMeter',
  uniques: [{ name: 'usage_meter_slug_unique', properties: ['pricingModelId', 'slug'] }],
  indexes: [
    { name: 'usage_meter_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
  ],
  properties: {
    ...tenantColumns('usage_meter'),
    name: p.string(),
    slug: p.string(),
    aggregationType: p.enum(aggregationTypes).default('sum'),
    prices: () => p.oneToMany(Price).mappedBy('usageMeter').orderBy(oldestFirst),
  },
});

/** Something that customers use and that is counted, such as API calls (reference §9.5). */
export class UsageMeter extends UsageMeterSchema.class {}
UsageMeterSchema.setClass(UsageMeter);
