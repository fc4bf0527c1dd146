import type { EntityManager } from '@mikro-orm/postgresql';
import { Failures } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { expireOf } from '#domain/metering/credits/expire-credits.ts';

const pageSize = 100;

/**
 * Expires credits in the ledgers that no command has met since their expiry. The delay changes no result: they cover
 * no usage from that instant on. Those that may roll over wait for the end of their period. Test clocks are excluded. Returns the number of subscriptions.
 */
export async function expireUsageCredits(
  em: EntityManager,
  now: Date,
  causeId: string,
): Promise<number> {
  const failures = new Failures();
  let expired = 0;
  const page = (last?: DueRow) => dueSubscriptions(em, now, last?.id ?? '');
  const sweep = { em, now, causeId, onFailure: failures.add };
  await forEachDue(sweep, { page, pageSize }, async (session, { id }) => {
    await expireOf(session, id);
    expired += 1;
  });
  failures.throwIfAny();
  return expired;
}

/** The subscriptions of any tenant with credits that have run out. */
const dueSubscriptions = (em: EntityManager, now: Date, after: string): Promise<DueRow[]> =>
  em.execute<DueRow[]>(
    `select distinct s.id, s.organization_id as "organizationId", s.pricing_model_id as "pricingModelId", s.livemode
     from usage_credit c join subscription s on s.id = c.subscription_id
     where c.remaining > 0 and c.expires_at <= ? and coalesce(c.rollover_periods, 0) = 0 and s.test_clock_id is null and s.id > ?
     order by s.id limit ${pageSize}`,
    [now, after],
  );
