import { command } from '../command.ts';
import { afresh } from '../payments/charge-payment.ts';
import type { Session } from '../session.ts';
import { type LockedSubscription, lockSubscription } from '../subscriptions/lock-subscription.ts';
import { catchUp } from '../subscriptions/transition-subscription.ts';

/**
 * Carries a command out on a held subscription as it is by now: nothing of it is due any more, whether the
 * job has come by or not. Errors: NOT_FOUND, and those of the work.
 */
export async function holdPresent<T>(
  session: Session,
  subscriptionId: string,
  work: (held: LockedSubscription) => Promise<T>,
): Promise<T> {
  for (;;) {
    await catchUp(afresh(session), subscriptionId);
    const done = await command(session, async (session) => {
      const held = await lockSubscription(session, subscriptionId);
      const { transitionDueAt } = held.subscription;
      // Its clock may have moved on in between.
      if (transitionDueAt && transitionDueAt <= held.session.now) return undefined;
      return { result: await work(held) };
    });
    if (done) return done.result;
  }
}
