import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';

const ResourceSchema = defineEntity({
  name: 'Resource',
  uniques: [{ name: 'resource_slug_unique', properties: ['pricingModelId', 'slug'] }],
  indexes: [pageIndex('resource')],
  properties: {
    ...tenantColumns('resource'),
    slug: p.string(),
    name: p.string(),
    active: p.boolean().default(true),
  },
});

/** A kind of capacity that subscriptions grant and customers claim, such as seats. */
export class Resource extends ResourceSchema.class {}
ResourceSchema.setClass(Resource);
