import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { ownPhaseInput } from '#domain/subscriptions/adjusting/phase-input.ts';
import { planPhase, requirePhases } from '#domain/subscriptions/adjusting/plan-phase.ts';

export const createSubscriptionPhaseInput = z.object({ subscriptionPhase: ownPhaseInput });

/**
 * Plans the items that a subscription has from a later instant on. Errors: BAD_REQUEST for a subscription that is
 * unknown, has ended, is free, never charged or without billing periods; for a start that is not in the future or taken;
 * and for items that the subscription cannot have.
 */
export async function createSubscriptionPhase(
  session: Session,
  { subscriptionPhase: phase }: z.output<typeof createSubscriptionPhaseInput>,
): Promise<SubscriptionPhase> {
  const { subscriptionId } = phase;
  if ((await session.em.count(Subscription, { id: subscriptionId })) === 0) {
    const why = `Unknown subscription ${subscriptionId}`;
    throw invalid('NOT_FOUND', 'subscriptionPhase.subscriptionId', why);
  }
  return lockCaughtUp(session, subscriptionId, ({ session, subscription }) => {
    requirePhases(subscription, 'subscriptionPhase.subscriptionId');
    return planPhase(session, subscription, phase, 'subscriptionPhase');
  });
}
