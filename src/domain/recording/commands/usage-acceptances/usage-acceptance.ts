import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { pendingAt } from '#domain/recording/inbox/inbox-part.ts';
import { passStreamIfMarked } from '#domain/recording/inbox/pass-stream.ts';

/** The state of accepted usage. */
export interface UsageAcceptance {
  readonly position: string;
  /** How many of its events wait to be counted. */
  readonly pending: number;
}

const form = /^acceptance_[0-9A-Za-z]{21}$/;

/**
 * The state of the usage at a position of the inbox. Errors: NOT_FOUND for a text that is no position;
 * SERVICE_UNAVAILABLE while it may be on its way to the inbox.
 */
export async function readAcceptance(
  { em, pricingModelId }: Session,
  position: string,
): Promise<UsageAcceptance> {
  if (!form.test(position)) {
    throw new DomainError('NOT_FOUND', `There is no position ${position} in the inbox`);
  }
  await passStreamIfMarked(em, { pricingModelId });
  return { position, pending: await pendingAt(em, { pricingModelId }, position) };
}
