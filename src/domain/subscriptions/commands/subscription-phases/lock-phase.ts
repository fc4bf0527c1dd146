import { invalid } from '#domain/kernel/errors.ts';
import { expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';

interface Wanted {
  readonly id: string;
  readonly expectedVersion?: number | null | undefined;
}

/**
 * Runs a command on a planned phase under the lock of its subscription. Errors: NOT_FOUND; BAD_REQUEST for another
 * version, and for a phase that is no longer planned.
 */
export async function lockPhase<T>(
  session: Session,
  { id, expectedVersion }: Wanted,
  work: (locked: LockedSubscription, phase: SubscriptionPhase) => Promise<T>,
): Promise<T> {
  const { subscriptionId } = await session.em.findOneOrFail(SubscriptionPhase, id);
  return lockCaughtUp(session, subscriptionId, async (locked) => {
    const phase = await locked.session.em.findOneOrFail(SubscriptionPhase, id, { refresh: true });
    expectVersion(phase, expectedVersion);
    if (phase.status === 'planned') return work(locked, phase);
    throw invalid('INVALID_STATE', 'id', `${id} is ${phase.status}: only planned phases change`);
  });
}
