import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { UsageWatch } from '#domain/model/metering/usage-watch.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { compareUsage } from './watch-usage.ts';

/** Compares the alerts of a subscription when time alone has changed their values. */
export const compareAtTime = (session: Session, subscriptionId: string): Promise<boolean> =>
  command(session, async (session) => {
    const { session: atLock, subscription } = await lockSubscription(session, subscriptionId);
    await atLock.em.nativeUpdate(UsageWatch, { subscription }, { dueAt: null });
    if (!subscription.isTerminal) await compareUsage(atLock, subscription);
    return true;
  });
