import { DomainError, type ErrorCode, invalid } from '#domain/kernel/errors.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import type { ClaimOutcome } from './change-claims.ts';
import { largestCall, selectorIn } from './claim-input.ts';
import type { UseAfter } from './claim-statements.ts';
import type { ResourceUsage } from './resource-usage.ts';

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

export function claimRefusal(
  input: { readonly subscriptionId: string; readonly resourceSlug: string },
  { outcome, detail, needed, ...use }: ClaimOutcome,
) {
  const { subscriptionId, resourceSlug } = input;
  switch (outcome) {
    case 'unknown subscription':
      return new DomainError('NOT_FOUND', `Subscription ${subscriptionId} not found`);
    case 'ended':
      return new DomainError(
        'CONFLICT',
        `Subscription ${subscriptionId} has ended (${detail}): nothing can be claimed for it`,
        { reason: 'INVALID_STATE' },
      );
    case 'paused':
      return pausedRefusal(subscriptionId, 'claimed');
    case 'incomplete':
      return stillIncomplete(subscriptionId, 'claimed');
    case 'withheld':
      return unpaidRefusal(subscriptionId, 'claimed');
    case 'unknown resource':
      return unknownResource(resourceSlug);
    case 'not granted':
      return notGranted(resourceSlug, subscriptionId);
    case 'too many':
      return selectorRefusal(input, tooMany(Number(needed)), 'BAD_REQUEST', 'TOO_LONG');
    default:
      return noCapacity(input, Number(needed), usageAfter(input, { detail, ...use }));
  }
}

/** An incomplete subscription grants nothing; the customer's current subscription does. */
export const stillIncomplete = (subscriptionId: string, verb: 'claimed' | 'reserved') =>
  new DomainError(
    'CONFLICT',
    `Subscription ${subscriptionId} is incomplete: nothing can be ${verb} for it before its first payment. Use the customer's current subscription`,
    { reason: 'INVALID_STATE' },
  );

/** A paused subscription keeps its claims, and grants nothing else. */
export const pausedRefusal = (subscriptionId: string, verb: 'claimed' | 'reserved') =>
  new DomainError(
    'CONFLICT',
    `Subscription ${subscriptionId} is paused: nothing can be ${verb} for it until it is resumed`,
    { reason: 'INVALID_STATE' },
  );

/** An unpaid subscription keeps its claims, and grants nothing else where the organization has chosen that. */
export const unpaidRefusal = (subscriptionId: string, verb: 'claimed' | 'reserved') =>
  new DomainError(
    'CONFLICT',
    `Subscription ${subscriptionId} is unpaid: nothing can be ${verb} for it until its invoices are paid`,
    { reason: 'INVALID_STATE' },
  );

/** Refuses a call with the requested number, the available one and the capacity. */
export function noCapacity(input: object, requested: number, usage: ResourceUsage) {
  const { capacity, claimed, reserved } = usage;
  const available = Math.max(0, capacity - claimed - reserved);
  const message = `Not enough capacity: ${requested} requested, ${available} available, ${capacity} in total`;
  return selectorRefusal(input, message, 'CONFLICT', 'CAPACITY_EXCEEDED');
}

export const tooMany = (count: number, most = largestCall) =>
  `${count} claims at once are too many: one request takes at most ${most}, so send several requests`;

/** A refusal under the field of the input that selects the claims. */
export const selectorRefusal = (input: object, message: string, code: ErrorCode, kind: IssueCode) =>
  new DomainError(code, message, {
    issues: [{ code: kind, path: [selectorIn({ ...input })], message }],
  });

export const unknownResource = (slug: string) =>
  invalid('NOT_FOUND', 'resourceSlug', `Unknown resource ${slug}`);

export const notGranted = (slug: string, subscriptionId: string) =>
  invalid(
    'NOT_FOUND',
    'resourceSlug',
    `Subscription ${subscriptionId} has no feature that grants ${slug}`,
  );
