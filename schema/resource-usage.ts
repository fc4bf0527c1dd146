import { Customer } from '#domain/customers/customer.ts';
import {
  claimsOf,
  resourceUsage,
  resourceUsages,
} from '#domain/resource-claims/read-resource-usage.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { availableOf, type ResourceUsage as Usage } from '#domain/rules/capacity/resource-usage.ts';
import { resourceUsagesOf, type UsageAt } from '#domain/rules/capacity/resource-usages.ts';
import { currentSubscriptionsOf } from '#domain/rules/entitlement/entitlements.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';

export const ResourceUsage = builder.objectRef<Usage>('ResourceUsage').implement({
  description: 'How much of a resource a subscription has, and has taken.',
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'Whose capacity it is.' }),
    resourceId: t.exposeID('resourceId', { description: 'The resource.' }),
    resourceSlug: t.exposeString('resourceSlug', { description: 'The slug of the resource.' }),
    capacity: t.expose('capacity', {
      type: 'SafeInt',
      description: 'What the active features grant now, by the customer’s clock.',
    }),
    claimed: t.expose('claimed', { type: 'SafeInt', description: 'Active claims.' }),
    reserved: t.expose('reserved', { type: 'SafeInt', description: 'Held by reservations.' }),
    available: t.field({
      type: 'SafeInt',
      description:
        'What can still be claimed; below zero when capacity was taken away from under claims.',
      resolve: availableOf,
    }),
  }),
});

const ResourceUsageDetails = builder.objectRef<UsageAt>('ResourceUsageDetails').implement({
  description: 'How much of a resource a subscription has and has taken, and the claims.',
  fields: (t) => ({
    usage: t.field({ type: ResourceUsage, description: 'The numbers.', resolve: (usage) => usage }),
    claims: t.field({
      type: [ResourceClaim],
      description: 'The active claims, oldest first; the first 10,000 of them.',
      resolve: (usage, _args, session) => claimsOf(session, usage),
    }),
  }),
});

builder.queryFields((t) => ({
  resourceUsage: t.field({
    type: ResourceUsageDetails,
    description:
      'How much of one resource a subscription has and has taken. Errors: NOT_FOUND, also for a resource that the subscription has no feature for; BAD_REQUEST.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      resourceSlug: t.arg.string({ description: 'The resource; or resourceId.' }),
      resourceId: t.arg.id({ description: 'The resource; or resourceSlug.' }),
    },
    resolve: (_root, args, session) => resourceUsage(session, args),
  }),
  resourceUsages: t.field({
    type: [ResourceUsageDetails],
    description:
      'How much a subscription has and has taken of each resource that it has or had a feature for, by slug. Errors: NOT_FOUND; BAD_REQUEST for more than 100 slugs or ids.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      resourceSlugs: t.arg.stringList({ description: 'Only these; goes before resourceIds.' }),
      resourceIds: t.arg.idList({ description: 'Only these.' }),
    },
    resolve: (_root, args, session) => resourceUsages(session, args),
  }),
}));

builder.objectField(Subscription, 'resourceUsages', (t) =>
  t.field({
    type: [ResourceUsage],
    description: 'How much it has and has taken of each resource, by slug.',
    resolve: (subscription, _args, session) => resourceUsagesOf(session, [subscription]),
  }),
);

builder.objectField(Customer, 'resourceUsages', (t) =>
  t.field({
    type: [ResourceUsage],
    description: 'How much the current subscriptions have and have taken of each resource.',
    resolve: async (customer, _args, session) =>
      resourceUsagesOf(session, await currentSubscriptionsOf(session, customer)),
  }),
);
