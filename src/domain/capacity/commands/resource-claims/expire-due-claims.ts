import type { EntityManager } from '@mikro-orm/postgresql';
import { expire } from '#domain/capacity/expire-claims.ts';
import { Failures } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';

const pageSize = 200;
const workers = 4;

/**
 * Marks every overdue claim and reservation of every tenant as expired, and emits the events. They do
 * not count from their expiry on, so a late run changes no result. Those on test clocks are excluded. Returns how many
 * it marked. Errors: one that names the subscriptions that have failed.
 */
export async function expireDueClaims(em: EntityManager, now: Date, causeId: string) {
  const failures = new Failures();
  let expired = 0;
  const page = (last?: DueRow) => dueSubscriptions(em, now, last?.id ?? '');
  const sweep = { em, now, causeId, onFailure: failures.add };
  await forEachDue(sweep, { page, pageSize, workers }, async (session, { id }) => {
    const gone = await expire(session, id);
    expired += gone;
  });
  failures.throwIfAny();
  return expired;
}

/** A page of the subscriptions of all tenants with overdue claims or reservations that are not marked yet, by id. */
function dueSubscriptions(em: EntityManager, now: Date, last: string): Promise<DueRow[]> {
  const tenant = `subscription_id as id, organization_id as "organizationId",
    pricing_model_id as "pricingModelId", livemode`;
  return em.execute<DueRow[]>(
    `select ${tenant} from resource_claim where test_clock_id is null and released_at is null
       and expired_at <= ? and subscription_id > ?
     union
     select ${tenant} from reservation where test_clock_id is null and status = 'held'
       and expires_at <= ? and subscription_id > ?
     order by id limit ${pageSize}`,
    [now, last, now, last],
  );
}
