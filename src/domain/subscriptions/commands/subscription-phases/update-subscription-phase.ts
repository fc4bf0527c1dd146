import { z } from 'zod';
import { expectedVersionInput } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, instantInput, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import { followPhases, plannedPhases } from '#domain/subscriptions/adjusting/follow-phases.ts';
import { phaseItemsInput, phaseTimingInput } from '#domain/subscriptions/adjusting/phase-input.ts';
import { itemsOfPhase, requireStart } from '#domain/subscriptions/adjusting/plan-phase.ts';
import { lockPhase } from './lock-phase.ts';

export const updateSubscriptionPhaseInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    subscriptionPhase: z.object(
      changesTo({
        id: z.string(),
        startsAt: instantInput,
        timing: phaseTimingInput,
        items: phaseItemsInput,
      }),
    ),
  })
  .refine(...sameId('subscriptionPhase'));

/**
 * Changes the start, the timing or the items of a planned phase. Errors: NOT_FOUND; BAD_REQUEST as for a new one, and for a phase that
 * is no longer planned.
 */
export const updateSubscriptionPhase = (
  session: Session,
  { subscriptionPhase: changes, ...wanted }: z.output<typeof updateSubscriptionPhaseInput>,
): Promise<SubscriptionPhase> =>
  lockPhase(session, wanted, async ({ session, subscription }, phase) => {
    const { startsAt, timing, items } = changes;
    if (startsAt) {
      const others = await plannedPhases(session, subscription);
      requireStart(session, subscription, {
        others: others.filter(({ id }) => id !== phase.id),
        startsAt,
        field: 'subscriptionPhase.startsAt',
      });
      phase.startsAt = startsAt;
    }
    if (timing) phase.timing = timing;
    if (items) {
      const field = 'subscriptionPhase.items';
      phase.items = await itemsOfPhase(session, subscription, items, field);
    }
    await followPhases(session, subscription);
    return phase;
  });
