import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns } from '#domain/kernel/columns.ts';

const ResourceSchema = defineEntity({
  name: 'Resource',
  uniques: [{ name: 'resource_slug_unique', properties: ['pricingModelId', 'slug'] }],
  indexes: [
    { name: 'resource_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
  ],
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
