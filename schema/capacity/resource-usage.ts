import {
  claimsOf,
  resourceUsage,
  resourceUsages,
} from '#domain/capacity/commands/resource-claims/read-resource-usage.ts';
import { availableOf, type ResourceUsage as Usage } from '#domain/capacity/resource-usage.ts';
import { resourceUsagesOf, type UsageAt } from '#domain/capacity/resource-usages.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentSubscriptionsOf } from '#domain/subscriptions/entitlement/entitlements.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { safeInt, text } from '../engine/fields.ts';
import { withId } from '../engine/reference.ts';
import { object } from '../engine/types.ts';

export const ResourceUsage = object<Usage>('ResourceUsage')({
  description: 'The capacity of a subscription for a resource, and its use.',
  fields: (t) => ({
    ...withId('subscription', Subscription, 'The subscription that provides the capacity.'),
    ...withId('resource', Resource, 'The resource.'),
    resourceSlug: text('The slug of the resource.'),
    capacity: safeInt('The capacity that active features grant now, by the customer’s clock.'),
    claimed: safeInt('The number of active claims.'),
    reserved: safeInt('The number of units that reservations occupy.'),
    available: t.field({
      type: 'SafeInt',
      description:
        'The number of units that can still be claimed; negative when capacity fell below the claims.',
      resolve: availableOf,
    }),
  }),
});

const ResourceUsageDetails = object<UsageAt>('ResourceUsageDetails')({
  description: 'The usage of a resource by a subscription, with its claims.',
  fields: (t) => ({
    usage: t.field({ type: ResourceUsage, description: 'The usage.', resolve: (usage) => usage }),
    claims: t.field({
      type: [ResourceClaim],
      description: 'The active claims, oldest first, at most 10,000.',
      resolve: (usage, _args, session) => claimsOf(session, usage),
    }),
  }),
});

builder.queryFields((t) => ({
  resourceUsage: t.field({
    type: ResourceUsageDetails,
    description:
      'The usage of one resource by a subscription. Errors: NOT_FOUND, also for a resource without a feature in the subscription; BAD_REQUEST unless exactly one of `resourceSlug` and `resourceId` is given.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      resourceSlug: t.arg.string({
        description: 'The slug of the resource; alternative to `resourceId`.',
      }),
      resourceId: t.arg.id({
        description: 'The id of the resource; alternative to `resourceSlug`.',
      }),
    },
    resolve: (_root, args, session) => resourceUsage(session, args),
  }),
  resourceUsages: t.field({
    type: [ResourceUsageDetails],
    description: `The usage of each resource for which the subscription has or had a feature, by slug; ${atMostBelow}. Errors: NOT_FOUND; BAD_REQUEST for more than 100 slugs or ids.`,
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      resourceSlugs: t.arg.stringList({
        description:
          'Returns only resources with these slugs; takes precedence over `resourceIds`.',
      }),
      resourceIds: t.arg.idList({ description: 'Returns only resources with these ids.' }),
    },
    resolve: async (_root, args, session) => upToMost(await resourceUsages(session, args)),
  }),
}));

builder.objectField(Subscription, 'resourceUsages', (t) =>
  t.field({
    type: [ResourceUsage],
    description: `The usage of each resource, by slug; ${atMostBelow}.`,
    resolve: async (subscription, _args, session) =>
      upToMost(await resourceUsagesOf(session, [subscription])),
  }),
);

builder.objectField(Customer, 'resourceUsages', (t) =>
  t.field({
    type: [ResourceUsage],
    description: `The usage of each resource by the current subscriptions; ${atMostBelow}.`,
    resolve: async (customer, _args, session) =>
      upToMost(await resourceUsagesOf(session, await currentSubscriptionsOf(session, customer))),
  }),
);
