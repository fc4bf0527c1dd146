import type { Session } from '#domain/kernel/session.ts';
import { createSubscriptionPhase } from '#domain/subscription-phases/create-subscription-phase.ts';
import type { SubscriptionPhase } from '#domain/subscription-phases/subscription-phase.ts';
import { aPriceOf, fresh } from './factories.ts';

/** A phase of a subscription that is planned for the year 2100. */
export async function aPhase(session: Session, subscriptionId: string): Promise<SubscriptionPhase> {
  const priceId = await aPriceOf(session, { unitPrice: 2_000 });
  const startsAt = new Date('2100-01-01');
  return createSubscriptionPhase(fresh(session), {
    subscriptionPhase: { subscriptionId, startsAt, items: [{ priceId }] },
  });
}
