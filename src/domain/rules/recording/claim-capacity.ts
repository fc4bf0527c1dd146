import type { Session } from '#domain/kernel/session.ts';
import type { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { changeClaims } from '#domain/rules/capacity/change-claims.ts';
import { namesIn } from '#domain/rules/capacity/claim-input.ts';
import { claimRefusal, usageAfter } from '#domain/rules/capacity/claim-refusals.ts';
import { claimsFrom } from '#domain/rules/capacity/claim-statements.ts';
import { expireReservations } from '#domain/rules/capacity/end-reservations.ts';
import type { ResourceUsage } from '#domain/rules/capacity/resource-usage.ts';
import { catchUp } from '#domain/rules/collection/transition-subscription.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';

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
  for (;;) {
    const answer = await changeClaims(session, call);
    if (answer.outcome === 'claimed') {
      return { claims: claimsFrom(session, answer.claims), usage: usageAfter(input, answer) };
    }
    if (answer.outcome !== 'due') throw claimRefusal(input, answer);
    // A boundary of the subscription is due, or a reservation is over and not yet marked as expired.
    await catchUp(afresh(session), subscriptionId);
    await expireReservations(afresh(session), subscriptionId);
  }
}
