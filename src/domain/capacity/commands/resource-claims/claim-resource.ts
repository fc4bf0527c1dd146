import { z } from 'zod';
import { selectors } from '#domain/capacity/claim-input.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { keptText } from '#domain/kernel/inputs/inputs.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type ClaimedResource, claimCapacity } from '#domain/recording/claiming/claim-capacity.ts';

export const claimResourceInput = z
  .object({
    subscriptionId: z.string(),
    resourceSlug: keptText(255),
    ...selectors,
    metadata: metadataInput.nullish(),
  })
  .refine(...exactlyOne(['quantity', 'externalId', 'externalIds']));

export type ClaimResourceInput = z.output<typeof claimResourceInput>;

/**
 * Claims capacity of a resource for a subscription, all or nothing. Names that have a claim keep it as it is. A claim
 * ends with a scheduled cancellation or change of items that leaves no room for it. Errors: NOT_FOUND; BAD_REQUEST
 * for a resource that is unknown or not granted. CONFLICT for a subscription that grants nothing now or has ended, and for
 * more than is available.
 */
export const claimResource = (
  session: Session,
  input: ClaimResourceInput,
): Promise<ClaimedResource> => claimCapacity(session, input);
