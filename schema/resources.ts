import { oldestFirst } from '#domain/kernel/columns.ts';
import { Resource } from '#domain/resources/resource.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

/** The documented list has no pages, so this bounds what one answer may weigh. */
const maximum = 1_000;

builder.node(Resource, {
  name: 'Resource',
  description: 'Capacity that subscriptions grant and customers claim, such as seats.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`resource_…`' },
  loadOne: (id, { em }) => em.findOne(Resource, id),
  fields: (t) => ({
    slug: t.exposeString('slug', {
      description: 'The name for programs, unique in the pricing model.',
    }),
    name: t.exposeString('name', { description: 'The name for people.' }),
    active: t.exposeBoolean('active', { description: 'Whether it can be put into new features.' }),
  }),
});

const ResourceFilter = builder.inputType('ResourceFilter', {
  description: 'Which resources to list.',
  fields: (t) => ({
    slug: t.string({ description: 'With this slug.' }),
    active: t.boolean({ description: 'Active (true) or not.' }),
  }),
});

readable({
  one: 'resource',
  many: 'resources',
  noun: 'resource',
  entity: Resource,
  filter: ResourceFilter,
  catalog: true,
});

builder.queryField('allResources', (t) =>
  t.field({
    type: [Resource],
    skipTypeScopes: true,
    authScopes: { anyKey: true },
    description: `Every resource of the pricing model, oldest first; the first ${maximum} of them.`,
    resolve: (_root, _args, { em }) =>
      em.find(Resource, {}, { orderBy: oldestFirst, limit: maximum }),
  }),
);
