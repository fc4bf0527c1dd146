import type { EntityManager } from '@mikro-orm/postgresql';
import { command } from '#domain/kernel/command.ts';
import { Failures } from '#domain/kernel/failures.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { turnOverUsage } from '#domain/rules/ledger/period-usage.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';

const pageSize = 100;

interface Due {
  readonly id: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/**
 * Writes down that credits have run out, which nobody has met since: what has run out counts for nothing from
 * that instant on, whether this has come by or not. Test clocks take care of their own.
 * Answers of how many subscriptions.
 */
export async function expireUsageCredits(
  em: EntityManager,
  now: Date,
  causeId: string,
): Promise<number> {
  const failures = new Failures();
  let expired = 0;
  let after = '';
  for (;;) {
    const due = await dueSubscriptions(em, now, after);
    for (const { id, ...tenant } of due) {
      const session = openSession(em, { ...tenant, keyType: 'secret', now, causeId });
      const done = await failures.attempt(id, () => expireOf(session, id));
      if (done) expired += 1;
    }
    after = due.at(-1)?.id ?? '';
    if (due.length < pageSize) break;
  }
  failures.tell();
  return expired;
}

const expireOf = (session: Session, subscriptionId: string) =>
  command(session, async (session) => {
    const held = await lockSubscription(session, subscriptionId);
    const none = { ended: null, begun: null, grants: 'none' } as const;
    await turnOverUsage(held.session, held.subscription, none);
    return true;
  });

/** The earliest credit of a test clock's customers that runs out by an instant and is not written down as such. */
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
    carryOut: (session: Session) => expireOf(session, next.id),
  };
}

/** Raw of any tenant: the subscriptions that have credits which have run out. */
const dueSubscriptions = (em: EntityManager, now: Date, after: string): Promise<Due[]> =>
  em.execute<Due[]>(
    `select distinct s.id, s.organization_id as "organizationId", s.pricing_model_id as "pricingModelId", s.livemode
     from usage_credit c join subscription s on s.id = c.subscription_id
     where c.remaining > 0 and c.expires_at <= ? and s.test_clock_id is null and s.id > ?
     order by s.id limit ${pageSize}`,
    [now, after],
  );
