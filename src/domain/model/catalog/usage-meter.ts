import { defineEntity, p } from '@mikro-orm/core';
import { oldestFirst, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Price } from './price.ts';

/** How a meter aggregates the events of a period into one number. */
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
  indexes: [pageIndex('usage_meter')],
  properties: {
    ...tenantColumns('usage_meter'),
    name: p.string(),
    slug: p.string(),
    aggregationType: p.enum(aggregationTypes).default('sum'),
    /** Of its usage, by which tax rates find it. */
    taxCode: p.string().nullable(),
    prices: () => p.oneToMany(Price).mappedBy('usageMeter').orderBy(oldestFirst),
  },
});

/** A counted quantity that customers use, such as API calls. */
export class UsageMeter extends UsageMeterSchema.class {}
UsageMeterSchema.setClass(UsageMeter);
