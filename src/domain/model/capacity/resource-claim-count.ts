import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, organizationColumn, safeInteger } from '#domain/kernel/columns.ts';

const ResourceClaimCountSchema = defineEntity({
  name: 'ResourceClaimCount',
  checks: checksOf({
    resource_claim_count_range: 'claimed >= 0',
  }),
  properties: {
    subscriptionId: p.string().primary(),
    resourceId: p.string().primary(),
    /** The instant from which these claims do not count; infinity for those without an end. */
    expiresAt: instant().primary(),
    organizationId: organizationColumn(),
    /** The number of unreleased claims. */
    claimed: safeInteger(),
  },
});

/**
 * The number of claims of a subscription on a resource, separately for each instant at which some expire. So the
 * number of active claims at any time is a sum over a few rows. Triggers update it in the transactions that change
 * claims.
 */
export class ResourceClaimCount extends ResourceClaimCountSchema.class {}
ResourceClaimCountSchema.setClass(ResourceClaimCount);
