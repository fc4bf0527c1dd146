import { namesIn } from '#domain/capacity/claim-input.ts';
import { claimRefusal, usageAfter } from '#domain/capacity/claim-refusals.ts';
import { claimsFrom } from '#domain/capacity/claim-statements.ts';
import type { ResourceUsage } from '#domain/capacity/resource-usage.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { changeClaimsAtPresent } from './claim-at-present.ts';

/** The claims, including those that these names had already, and the usage of the resource afterwards. */
export interface ClaimedResource {
  readonly claims: ResourceClaim[];
  readonly usage: ResourceUsage;
}

/** The capacity to claim of a resource, by number or by names. */
export interface ClaimedCapacity {
  readonly subscriptionId: string;
  readonly resourceSlug: string;
  readonly quantity?: number | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly externalIds?: readonly string[] | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Claims capacity at the subscription's present: due boundaries and overdue reservations are processed first.
 * `guaranteed` units are available even if the resource is full, since they were reserved. Errors: those of
 * `claimResource`.
 */
export async function claimCapacity(
  session: Session,
  input: ClaimedCapacity,
  guaranteed = 0,
): Promise<ClaimedResource> {
  const { subscriptionId, resourceSlug, quantity = null, metadata = null } = input;
  const asked = { subscriptionId, resourceSlug, quantity, metadata, guaranteed };
  const call = { verb: 'claim', names: namesIn(input), ids: null, ...asked } as const;
  const answer = await changeClaimsAtPresent(session, call);
  if (answer.outcome !== 'claimed') throw claimRefusal(input, answer);
  return { claims: await claimsFrom(session, answer.claims), usage: usageAfter(input, answer) };
}
