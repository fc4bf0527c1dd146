import { firstRows } from '#domain/kernel/lists/page.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { flag, text } from '../engine/fields.ts';
import { type ListInput, listArguments, pageInputOf } from '../engine/lists.ts';
import { readable } from '../engine/readable.ts';
import { record } from '../engine/types.ts';
import { byFlag, byText } from '../engine/where.ts';

/** The documented list has no pages, so this bounds what one answer may weigh. */
const maximum = 1_000;

record(Resource, {
  description:
    'A resource with capacity that subscriptions grant and customers claim, such as seats.',
  fields: (t) => ({
    slug: text('The slug, unique in the pricing model.'),
    name: text('The display name.'),
    active: flag('Whether new features can use it.'),
    claims: listBelow(t, ResourceClaim, {
      by: 'resourceId',
      description: 'The claims of the resource.',
    }),
  }),
});

readable({
  one: 'resource',
  many: 'resources',
  noun: 'resource',
  entity: Resource,
  catalog: true,
  where: {
    name: byText('name', 'The display name.'),
    slug: byText('slug', 'The slug.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});

builder.queryField('allResources', (t) =>
  t.field({
    type: [Resource],
    skipTypeScopes: true,
    authScopes: { anyKey: true },
    description: `The resources of the pricing model, oldest first, at most ${maximum}. Errors: BAD_REQUEST for conditions out of range.`,
    args: listArguments(t, Resource),
    resolve: async (_root, args, session) => {
      const input = pageInputOf(session, Resource, args as ListInput);
      return firstRows(session, Resource, input, maximum);
    },
  }),
);
