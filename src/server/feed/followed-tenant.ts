import { credentialIdOf, type Session } from '#domain/kernel/session.ts';
import type { EventFilter } from '#domain/platform/feed/follow.ts';

/**
 * The scope of a session's live updates: its pricing model, and any pricing model's own record. A customer token gets
 * only events of its customer.
 */
export function followedTenant(session: Session, { objectId }: EventFilter) {
  const { organizationId, livemode, pricingModelId, customerId: ownCustomerId } = session;
  const own = objectId?.startsWith('pricing_model_') ? {} : { pricingModelId };
  return { organizationId, livemode, credentialId: credentialIdOf(session), ownCustomerId, ...own };
}
