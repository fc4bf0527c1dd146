import { z } from 'zod';
import type { ClaimOutcome } from '#domain/capacity/change-claims.ts';
import { claimIdsInput, namesIn, selectors } from '#domain/capacity/claim-input.ts';
import {
  selectorRefusal,
  tooMany,
  unknownResource,
  usageAfter,
} from '#domain/capacity/claim-refusals.ts';
import { claimsFrom } from '#domain/capacity/claim-statements.ts';
import type { ResourceUsage } from '#domain/capacity/resource-usage.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { keptText } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { changeClaimsAtPresent } from '#domain/recording/claiming/claim-at-present.ts';

export const releaseResourceInput = z
  .object({
    subscriptionId: z.string(),
    resourceSlug: keptText(255),
    ...selectors,
    claimIds: claimIdsInput.nullish(),
  })
  .refine(...exactlyOne(['quantity', 'externalId', 'externalIds', 'claimIds']));

export type ReleaseResourceInput = z.output<typeof releaseResourceInput>;

/** The released claims, the oldest first, and the usage afterwards. */
export interface ReleasedResource {
  readonly releasedClaims: ResourceClaim[];
  readonly usage: ResourceUsage;
}

/**
 * Releases claims of a resource, all or nothing: a number of anonymous ones, the oldest first, or those with given
 * names or ids. It works after the end of the subscription, too. Errors: NOT_FOUND; BAD_REQUEST for an unknown
 * resource and for names or ids without an active claim of it.
 */
export async function releaseResource(
  session: Session,
  input: ReleaseResourceInput,
): Promise<ReleasedResource> {
  const { subscriptionId, resourceSlug, quantity = null, claimIds } = input;
  const asked = { subscriptionId, resourceSlug, quantity, metadata: null, guaranteed: 0 };
  const ids = claimIds ? [...new Set(claimIds)] : null;
  const call = { verb: 'release', names: namesIn(input), ids, ...asked } as const;
  const answer = await changeClaimsAtPresent(session, call);
  if (answer.outcome !== 'released') throw releaseRefusal(input, answer);
  const releasedClaims = await claimsFrom(session, answer.claims);
  return { releasedClaims, usage: usageAfter(input, answer) };
}

function releaseRefusal(input: ReleaseResourceInput, { outcome, detail }: ClaimOutcome) {
  const { subscriptionId, resourceSlug, quantity } = input;
  switch (outcome) {
    case 'unknown subscription':
      return new DomainError('NOT_FOUND', `Subscription ${subscriptionId} not found`);
    case 'unknown resource':
      return unknownResource(resourceSlug);
    case 'too many':
      return selectorRefusal(input, tooMany(quantity ?? 0), 'BAD_REQUEST', 'TOO_LONG');
    case 'too few':
      return selectorRefusal(
        input,
        `${quantity} anonymous claims requested, ${detail} active: name others by claimIds or externalIds`,
        'BAD_REQUEST',
        'OUT_OF_RANGE',
      );
    default:
      return selectorRefusal(
        input,
        `${detail} is not an active claim of subscription ${subscriptionId} on ${resourceSlug}`,
        'BAD_REQUEST',
        'NOT_FOUND',
      );
  }
}
