import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { rollOverUsage } from './roll-over-usage.ts';

export const expireOf = (session: Session, subscriptionId: string) =>
  command(session, async (session) => {
    const locked = await lockSubscription(session, subscriptionId);
    const none = { ended: null, begun: null, grants: 'none' } as const;
    await rollOverUsage(locked.session, locked.subscription, none);
    return true;
  });
