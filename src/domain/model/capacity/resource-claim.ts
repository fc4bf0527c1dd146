import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';

/** Why a claim has ended: it was released, its subscription ended immediately or as scheduled, or it expired. */
export const releaseReasons = [
  'released',
  'subscription_canceled',
  'scheduled_cancellation',
  'expired',
] as const;
export type ReleaseReason = (typeof releaseReasons)[number];

const ResourceClaimSchema = defineEntity({
  name: 'ResourceClaim',
  uniques: [
    {
      name: 'resource_claim_external_id_unique',
      properties: ['subscriptionId', 'resourceId', 'externalId'],
      where: { releasedAt: null, externalId: { $ne: null } },
    },
  ],
  indexes: [
    { name: 'resource_claim_resource', properties: ['resourceId', 'createdAt', 'position', 'id'] },
    pageIndex('resource_claim'),
    {
      name: 'resource_claim_subscription',
      properties: ['subscriptionId', 'createdAt', 'position', 'id'],
    },
    {
      // Groups anonymous claims, the oldest first.
      name: 'resource_claim_unreleased',
      properties: ['subscriptionId', 'resourceId', 'externalId', 'claimedAt', 'position'],
      where: { releasedAt: null },
    },
    {
      name: 'resource_claim_due',
      properties: ['testClockId', 'expiredAt', 'subscriptionId'],
      where: { releasedAt: null, expiredAt: { $ne: null } },
    },
  ],
  checks: checksOf({
    resource_claim_released: '(released_at is null) = (release_reason is null)',
  }),
  properties: {
    ...tenantColumns('res_claim'),
    resourceId: p.string(),
    subscriptionId: p.string(),
    /** The caller's own name for the user of the claim; null for an anonymous claim. */
    externalId: p.string().nullable(),
    claimedAt: instant(),
    releasedAt: instant().nullable(),
    releaseReason: p.enum(releaseReasons).nullable(),
    /** From this instant on it does not count, released or not; null for a claim without an end. */
    expiredAt: instant().nullable(),
    metadata: p.json<Metadata>().nullable(),
    customerId: p.string().hidden(),
    testClockId: p.string().nullable().hidden(),
  },
});

/**
 * One unit of a resource's capacity that a subscription uses. Functions of the database write the rows, a whole set
 * at a time, with their events.
 */
export class ResourceClaim extends ResourceClaimSchema.class {}
ResourceClaimSchema.setClass(ResourceClaim);
