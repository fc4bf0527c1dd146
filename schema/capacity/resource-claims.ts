import { activeClaimsOf } from '#domain/capacity/commands/resource-claims/read-resource-usage.ts';
import { activeAt } from '#domain/capacity/resource-usages.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { builder } from '../engine/builder.ts';
import { nullable, time } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEntries, byId, byText, byTime, custom } from '../engine/where.ts';

record(ResourceClaim, {
  description: 'One unit of a resource that a subscription has claimed, such as a seat.',
  fields: () => ({
    ...withId('resource', Resource, 'The claimed resource.'),
    ...withId('subscription', Subscription, 'The subscription that provides the capacity.'),
    externalId: nullable.text(
      'Your own name for the holder of the claim; null for an anonymous claim.',
    ),
    claimedAt: time('The time of the claim.'),
    releasedAt: nullable.time('The time of release; null before.'),
    releaseReason: nullable.text(
      'The reason of the release: `released`, `subscription_canceled`, `scheduled_cancellation` or `expired`.',
    ),
    expiredAt: nullable.time('The time when the claim expires; null without an end.'),
    metadata: nullable.json(
      'Key-value pairs; values are text, numbers, booleans, lists or objects.',
    ),
  }),
});

readable({
  one: 'resourceClaim',
  many: 'resourceClaims',
  noun: 'resource claim',
  entity: ResourceClaim,
  where: {
    subscription: byId('subscriptionId', 'The subscription.'),
    customer: byId('customerId', 'The customer.'),
    resource: byId('resourceId', 'The resource.'),
    externalId: byText('externalId', 'Your own name for the user of the claim.'),
    active: custom.flag(
      'Claims that occupy capacity now (true), or that were released or have expired (false).',
      (active, _path, { now }) => (active ? activeCondition(now) : { $not: activeCondition(now) }),
    ),
    claimedAt: byTime('claimedAt', 'The time of the claim.'),
    releasedAt: byTime('releasedAt', 'The time of the release.'),
    metadata: byEntries('metadata', 'Entries of the metadata, all of which must match.'),
  },
});

/** Claims that live by a test clock are noted down as expired as it moves. */
function activeCondition(now: Date) {
  const { releasedAt, $or } = activeAt(now);
  return { releasedAt, $or: [...$or, { testClockId: { $ne: null } }] };
}

builder.queryField('activeClaims', (t) =>
  t.field({
    type: [ResourceClaim],
    description:
      'The active claims of a subscription, oldest first, at most 10,000. Errors: NOT_FOUND for an unknown subscription or slug.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      resourceSlug: t.arg.string({
        description: 'Returns only claims of the resource with this slug.',
      }),
    },
    resolve: (_root, args, session) => activeClaimsOf(session, args),
  }),
);
