import type { Session } from '#domain/kernel/session.ts';
import { activeClaimsOf } from '#domain/resource-claims/read-resource-usage.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { activeAt } from '#domain/rules/capacity/resource-usages.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

builder.node(ResourceClaim, {
  name: 'ResourceClaim',
  description: 'One unit of a resource that a subscription has taken, such as a seat.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`res_claim_…`' },
  loadOne: (id, { em }) => em.findOne(ResourceClaim, id),
  fields: (t) => ({
    resourceId: t.exposeID('resourceId', { description: 'What is taken.' }),
    subscriptionId: t.exposeID('subscriptionId', { description: 'Whose capacity it is.' }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'Your own name for who holds it; null for an anonymous claim.',
    }),
    claimedAt: t.expose('claimedAt', { type: 'Timestamp', description: 'Since when.' }),
    releasedAt: t.expose('releasedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Until when; null while it has not been released.',
    }),
    releaseReason: t.exposeString('releaseReason', {
      nullable: true,
      description:
        'Why it was released: released, subscription_canceled, scheduled_cancellation or expired.',
    }),
    expiredAt: t.expose('expiredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'From when on it does not count; null for a claim without an end.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      nullable: true,
      description: 'Names with a text, a number or a boolean.',
    }),
  }),
});

const ResourceClaimState = builder.enumType('ResourceClaimState', {
  description: 'Which claims: those that count now, those that were given back, or all.',
  values: ['active', 'released', 'all'] as const,
});

const ResourceClaimFilter = builder.inputType('ResourceClaimFilter', {
  description: 'Which claims to list.',
  fields: (t) => ({
    state: t.field({ type: ResourceClaimState, description: 'All when absent.' }),
    subscriptionId: t.id({ description: 'Of the subscription with this id.' }),
    customerId: t.id({ description: 'Of the customer with this id.' }),
    resourceId: t.id({ description: 'Of the resource with this id.' }),
    externalId: t.string({ description: 'With this name of your own.' }),
  }),
});

readable({
  one: 'resourceClaim',
  many: 'resourceClaims',
  noun: 'resource claim',
  entity: ResourceClaim,
  filter: ResourceClaimFilter,
  conditionOf: claimCondition,
});

/** Claims that live by a test clock are noted down as expired as it moves. */
function claimCondition(
  filter: { state?: 'active' | 'released' | 'all' } | undefined,
  { now }: Session,
) {
  if (!filter) return undefined;
  const { state = 'all', ...columns } = filter;
  if (state === 'all') return columns;
  if (state === 'released') return { ...columns, releasedAt: { $ne: null } };
  const { releasedAt, $or } = activeAt(now);
  return { ...columns, releasedAt, $or: [...$or, { testClockId: { $ne: null } }] };
}

builder.queryField('activeClaims', (t) =>
  t.field({
    type: [ResourceClaim],
    description:
      'The active claims of a subscription, oldest first; the first 10,000 of them. Errors: NOT_FOUND for an unknown subscription or slug.',
    args: {
      subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      resourceSlug: t.arg.string({ description: 'Only of the resource with this slug.' }),
    },
    resolve: (_root, args, session) => activeClaimsOf(session, args),
  }),
);
