import { z } from 'zod';
import type { Session } from '#domain/kernel/session.ts';
import type { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import { followPhases } from '#domain/subscriptions/adjusting/follow-phases.ts';
import { lockPhase } from './lock-phase.ts';

export const deleteSubscriptionPhaseInput = z.object({ id: z.string() });

/** Deletes a planned phase, and returns it. Errors: NOT_FOUND; BAD_REQUEST for a phase that is no longer planned. */
export const deleteSubscriptionPhase = (
  session: Session,
  wanted: z.output<typeof deleteSubscriptionPhaseInput>,
): Promise<SubscriptionPhase> =>
  lockPhase(session, wanted, async ({ session, subscription }, phase) => {
    session.em.remove(phase);
    await followPhases(session, subscription);
    return phase;
  });
