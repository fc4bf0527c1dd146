import { z } from 'zod';
import { DomainError, type ErrorCode, invalid } from '#domain/kernel/errors.ts';
import { keptText } from '#domain/kernel/inputs.ts';
import { metadataInput } from '#domain/kernel/metadata-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type ClaimOutcome, changeClaims } from '#domain/rules/capacity/change-claims.ts';
import {
  exactlyOne,
  largestCall,
  namesIn,
  selectorIn,
  selectors,
} from '#domain/rules/capacity/claim-input.ts';
import { claimsFrom, type UseAfter } from '#domain/rules/capacity/claim-statements.ts';
import { expireReservations } from '#domain/rules/capacity/end-reservations.ts';
import type { ResourceUsage } from '#domain/rules/capacity/resource-usage.ts';
import { catchUp } from '#domain/rules/collection/transition-subscription.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import type { ResourceClaim } from './resource-claim.ts';

export const claimResourceInput = z
  .object({
    subscriptionId: z.string(),
    resourceSlug: keptText(255),
    ...selectors,
    metadata: metadataInput.nullish(),
  })
  .refine(...exactlyOne(['quantity', 'externalId', 'externalIds']));

export type ClaimResourceInput = z.output<typeof claimResourceInput>;

/** What has been claimed, with what was claimed by these names already, and how it stands now. */
export interface ClaimedResource {
  readonly claims: ResourceClaim[];
  readonly usage: ResourceUsage;
}

/**
 * Claims capacity of a resource for a subscription, all that is asked for or nothing (reference §8.2). Names
 * that have a claim keep it as it is. What a scheduled cancellation or change of items leaves no room for ends
 * with that (§8.5). `guaranteed` units are there however full it is: they were reserved.
 * Errors: NOT_FOUND; BAD_REQUEST for a resource that is unknown or not granted; CONFLICT for a subscription
 * that is incomplete or has ended, and for more than is available.
 */
export async function claimResource(
  session: Session,
  input: ClaimResourceInput,
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
    if (answer.outcome !== 'due') throw refusalOf(input, answer);
    // A boundary of the subscription is due, or a reservation is over and not yet marked as expired.
    await catchUp(afresh(session), subscriptionId);
    await expireReservations(afresh(session), subscriptionId);
  }
}

export const usageAfter = (
  { subscriptionId, resourceSlug }: { subscriptionId: string; resourceSlug: string },
  { resource, capacity, claimed, reserved }: UseAfter,
): ResourceUsage => ({
  subscriptionId,
  resourceSlug,
  resourceId: resource ?? '',
  capacity: Number(capacity),
  claimed: Number(claimed),
  reserved: Number(reserved),
});

function refusalOf(input: ClaimResourceInput, { outcome, detail, needed, ...use }: ClaimOutcome) {
  const { subscriptionId, resourceSlug } = input;
  switch (outcome) {
    case 'unknown subscription':
      return new DomainError('NOT_FOUND', `Subscription ${subscriptionId} not found`);
    case 'ended':
      return new DomainError(
        'CONFLICT',
        `Subscription ${subscriptionId} has ended (${detail}): nothing can be claimed for it`,
      );
    case 'incomplete':
      return stillIncomplete(subscriptionId, 'claimed');
    case 'unknown resource':
      return unknownResource(resourceSlug);
    case 'not granted':
      return notGranted(resourceSlug, subscriptionId);
    case 'too many':
      return selectorRefusal(input, tooMany(Number(needed)), 'BAD_REQUEST');
    default:
      return noCapacity(input, Number(needed), usageAfter(input, { detail, ...use }));
  }
}

/** An incomplete subscription grants nothing; the customer's current subscription does. */
export const stillIncomplete = (subscriptionId: string, verb: 'claimed' | 'reserved') =>
  new DomainError(
    'CONFLICT',
    `Subscription ${subscriptionId} is incomplete: nothing can be ${verb} for it before its first payment. Use the customer's current subscription`,
  );

/** Says what was asked for, what there is, and of how much. */
export function noCapacity(input: object, requested: number, usage: ResourceUsage) {
  const { capacity, claimed, reserved } = usage;
  const available = Math.max(0, capacity - claimed - reserved);
  const message = `Not enough capacity: ${requested} requested, ${available} available, ${capacity} in all`;
  return selectorRefusal(input, message, 'CONFLICT');
}

export const tooMany = (count: number) =>
  `are ${count} at once, and one call changes at most ${largestCall}: make several calls`;

/** A refusal of what was asked for, under the field by which it was. */
export const selectorRefusal = (input: object, message: string, code: ErrorCode) =>
  new DomainError(code, message, { issues: [{ path: [selectorIn({ ...input })], message }] });

export const unknownResource = (slug: string) =>
  invalid('resourceSlug', `${slug} is not the slug of a resource of yours`);

export const notGranted = (slug: string, subscriptionId: string) =>
  invalid('resourceSlug', `${slug} is granted by no feature of ${subscriptionId}`);
