import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { expireReservationsOf } from '#domain/rules/capacity/end-reservations.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import {
  type LockedSubscription,
  lockSubscription,
} from '#domain/rules/locks/lock-subscription.ts';
import { catchUp } from './transition-subscription.ts';

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
    await catchUp(afresh(session), subscriptionId);
    const done = await command(session, async (session) => {
      const locked = await lockSubscription(session, subscriptionId);
      const { transitionDueAt } = locked.subscription;
      // A boundary may have become due in between.
      if (transitionDueAt && transitionDueAt <= locked.session.now) return undefined;
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
