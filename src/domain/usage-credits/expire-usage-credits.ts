import type { EntityManager } from '@mikro-orm/postgresql';
import { Failures } from '#domain/kernel/failures.ts';
import { openSession } from '#domain/kernel/session.ts';
import { expireOf } from '#domain/rules/ledger/expire-credits.ts';

const pageSize = 100;

interface Due {
  readonly id: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/**
 * Expires credits in the ledgers that no command has met since their expiry. The delay changes no result: they cover
 * no usage from that instant on. Test clocks are excluded. Returns the number of subscriptions.
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

/** The subscriptions of any tenant with credits that have run out. */
const dueSubscriptions = (em: EntityManager, now: Date, after: string): Promise<Due[]> =>
  em.execute<Due[]>(
    `select distinct s.id, s.organization_id as "organizationId", s.pricing_model_id as "pricingModelId", s.livemode
     from usage_credit c join subscription s on s.id = c.subscription_id
     where c.remaining > 0 and c.expires_at <= ? and s.test_clock_id is null and s.id > ?
     order by s.id limit ${pageSize}`,
    [now, after],
  );
