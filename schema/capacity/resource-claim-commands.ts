import { largestCall, mostListed } from '#domain/capacity/claim-input.ts';
import {
  claimResource,
  claimResourceInput,
} from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import {
  releaseResource,
  releaseResourceInput,
} from '#domain/capacity/commands/resource-claims/release-resource.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { fieldMarks } from '../engine/extensions.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { object } from '../engine/types.ts';
import { ResourceUsage } from './resource-usage.ts';

/** The bound of the claims that one response lists. */
export const mostClaims = `at most ${mostListed.toLocaleString('en-US')}`;
/** The bound of the claims that one request changes. */
const mostAtOnce = `at most ${largestCall.toLocaleString('en-US')} at once`;

/** A call with the largest number takes minutes. */
const extensions = fieldMarks({ waitsSeconds: 570 });

const ClaimResourcePayload = object<Awaited<ReturnType<typeof claimResource>>>(
  'ClaimResourcePayload',
)({
  description: 'The result of a claim.',
  fields: () => ({
    claims: of(
      [ResourceClaim],
      `The new claims, and existing claims of the requested names; ${mostClaims}.`,
    ),
    usage: of(ResourceUsage, 'The usage of the resource after the change.'),
  }),
});

const ReleaseResourcePayload = object<Awaited<ReturnType<typeof releaseResource>>>(
  'ReleaseResourcePayload',
)({
  description: 'The result of a release.',
  fields: () => ({
    releasedClaims: of([ResourceClaim], `The released claims, oldest first; ${mostClaims}.`),
    usage: of(ResourceUsage, 'The usage of the resource after the change.'),
  }),
});

mutation('claimResource', {
  returns: ClaimResourcePayload,
  description:
    'Claims capacity, all units or none. Give exactly one of `quantity`, `externalId` and `externalIds`. Errors: NOT_FOUND; BAD_REQUEST for a resource that is unknown or not granted; CONFLICT for a subscription that is incomplete or has ended and for more than is available.',
  args: {
    subscriptionId: id('The id of the subscription that provides the capacity.'),
    resourceSlug: text('The slug of the resource.'),
    quantity: nullable.safeInt(`The number of anonymous claims, ${mostAtOnce}.`),
    externalId: nullable.text(
      'Your own name for the holder of the claim; an existing claim of this name is kept.',
    ),
    externalIds: nullable.of(['String'], 'Several such names; duplicates count once.'),
    metadata: nullable.json(
      'Metadata of the new claims: at most 50 key-value pairs. Values are text of up to 500 characters, numbers, booleans, or nested values of 8 KiB together.',
    ),
  },
  extensions,
  input: claimResourceInput,
  command: claimResource,
});

mutation('releaseResource', {
  returns: ReleaseResourcePayload,
  description:
    'Releases claims, all or none. Give exactly one of `quantity`, `externalId`, `externalIds` and `claimIds`. Errors: NOT_FOUND; BAD_REQUEST for a claim that is not active.',
  args: {
    subscriptionId: id('The id of the subscription that has the claims.'),
    resourceSlug: text('The slug of the resource.'),
    quantity: nullable.safeInt(
      `The number of anonymous claims to release, oldest first, ${mostAtOnce}.`,
    ),
    externalId: nullable.text('The claim with this name of your own.'),
    externalIds: nullable.of(['String'], 'The claims with these names of your own.'),
    claimIds: nullable.of(['ID'], 'The claims with these ids, named or anonymous.'),
  },
  extensions,
  input: releaseResourceInput,
  command: releaseResource,
});
