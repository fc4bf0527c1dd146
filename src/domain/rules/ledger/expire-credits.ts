import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { rollOverUsage } from './roll-over-usage.ts';

export const expireOf = (session: Session, subscriptionId: string) =>
  command(session, async (session) => {
    const locked = await lockSubscription(session, subscriptionId);
    const none = { ended: null, begun: null, grants: 'none' } as const;
    await rollOverUsage(locked.session, locked.subscription, none);
    return true;
  });

/** The earliest credit of a test clock's customers that runs out by an instant and is not expired in the ledger. */
export async function nextCreditExpiry({ em }: Session, testClockId: string, by: Date) {
  const [next] = await statement<{ id: string; at: number }>(
    em,
    'next credit expiry',
    `select s.id, (extract(epoch from c.expires_at) * 1000)::float8 as at
     from subscription s join usage_credit c on c.subscription_id = s.id
     where s.test_clock_id = $1 and c.remaining > 0 and c.expires_at <= $2
     order by c.expires_at, s.created_at, s.position, c.position limit 1`,
    [testClockId, by],
  );
  if (!next) return undefined;
  return {
    at: new Date(next.at),
    execute: (session: Session) => expireOf(session, next.id),
  };
}
