import { expireReservationsOf } from '#domain/capacity/end-reservations.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type FirstStep, firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import {
  type LockedSubscription,
  lockSubscription,
} from '#domain/platform/locks/lock-subscription.ts';
import { bePresent } from './be-present.ts';

/** Whether a boundary has become due between the last crossed one and the lock. */
const hasDueBoundary = ({ session, subscription: { transitionDueAt } }: LockedSubscription) =>
  transitionDueAt != null && transitionDueAt <= session.now;

/**
 * Runs a command on a locked subscription at the present, after its due boundaries are crossed. Each boundary is a
 * separate transaction; the work gets the session of the lock. Errors: NOT_FOUND, and those of the work.
 */
export async function lockCaughtUp<T>(
  session: Session,
  subscriptionId: string,
  work: (locked: LockedSubscription) => Promise<T>,
): Promise<T> {
  for (;;) {
    await bePresent(afresh(session), subscriptionId);
    const done = await command(session, async (session) => {
      const locked = await lockSubscription(session, subscriptionId);
      if (hasDueBoundary(locked)) return undefined;
      return { result: await work(locked) };
    });
    if (done) return done.result;
  }
}

/** The same, with overdue reservations of the subscription marked as expired in the same transaction. */
export const lockPresent = <T>(
  session: Session,
  subscriptionId: string,
  work: (locked: LockedSubscription) => Promise<T>,
): Promise<T> =>
  lockCaughtUp(session, subscriptionId, async (locked) => {
    await expireReservationsOf(locked);
    return work(locked);
  });

/**
 * The same as `lockPresent`, as the first transaction of an operation that needs several. A repeat of a keyed request
 * resumes from the stored result.
 */
export async function lockPresentInSteps<T>(
  session: Session,
  subscriptionId: string,
  work: (locked: LockedSubscription) => Promise<T>,
): Promise<FirstStep<T>> {
  for (;;) {
    await bePresent(afresh(session), subscriptionId);
    try {
      return await firstStep(afresh(session), async (session) => {
        const locked = await lockSubscription(session, subscriptionId);
        // The rollback keeps the step from being stored as done.
        if (hasDueBoundary(locked)) throw new BoundaryDue();
        await expireReservationsOf(locked);
        return work(locked);
      });
    } catch (error) {
      if (!(error instanceof BoundaryDue)) throw error;
    }
  }
}

class BoundaryDue extends Error {}
