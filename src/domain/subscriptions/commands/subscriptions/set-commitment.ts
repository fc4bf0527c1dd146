import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { commitPeriod } from '#domain/subscriptions/periods/commit-period.ts';
import { endTimings } from './cancellation-input.ts';
import { commitmentInput, commitmentOf } from './commitment-input.ts';

export const setCommitmentInput = z.object({
  id: z.string(),
  commitment: commitmentInput,
  timing: z.enum(endTimings).nullish(),
});

/**
 * Commits the customer of a subscription to an amount, from its current billing period on, or from the next one. An
 * earlier commitment ends: its running term is reckoned with the periods that it has had. Errors: NOT_FOUND; BAD_REQUEST
 * for a free plan, one that is not charged, has no billing periods or has ended, and a term that periods do not fill.
 */
export function setCommitment(
  session: Session,
  { id, commitment, timing }: z.output<typeof setCommitmentInput>,
): Promise<Subscription> {
  return lockCaughtUp(session, id, async ({ session, subscription }) => {
    const { interval: unit, intervalCount } = subscription;
    const refuse = (why: string) => invalid('INVALID_STATE', 'id', `${id} ${why}`);
    if (subscription.isTerminal) throw refuse(`is ${subscription.status}`);
    if (subscription.isFreePlan) throw refuse('is a free plan: create one with the commitment');
    if (subscription.doNotCharge) throw refuse('is never charged: there is nothing to commit to');
    if (!subscription.renews || !unit) throw refuse('has no billing periods');
    subscription.commitment = commitmentOf(commitment, { unit, count: intervalCount ?? 1 });
    subscription.committed = true;
    const period = await currentPeriod(session, subscription);
    if (period && timing !== 'at_end_of_current_billing_period') commitPeriod(subscription, period);
    await session.em.flush();
    return subscription;
  });
}
