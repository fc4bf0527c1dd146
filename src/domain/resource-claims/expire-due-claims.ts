import type { EntityManager } from '@mikro-orm/postgresql';
import { Failures } from '#domain/kernel/failures.ts';
import { openSession } from '#domain/kernel/session.ts';
import { expire } from '#domain/rules/capacity/expire-claims.ts';

const pageSize = 200;

const lanes = 4;

interface Due {
  readonly subscriptionId: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/**
 * Marks every overdue claim and reservation of every tenant as expired, and emits the events. The delay changes no
 * result: they do not count from their expiry on. Test clocks are excluded. Returns how many there were. Errors: one
 * that names the subscriptions that have failed.
 */
export async function expireDueClaims(em: EntityManager, now: Date, causeId: string) {
  const failures = new Failures();
  let expired = 0;
  let last = '';
  for (;;) {
    const due = await dueSubscriptions(em, now, last);
    const queue = due.values();
    const work = async () => {
      for (const { subscriptionId, ...tenant } of queue) {
        const session = openSession(em, { ...tenant, keyType: 'secret', now, causeId });
        const gone = await failures.attempt(subscriptionId, () => expire(session, subscriptionId));
        expired += gone ?? 0;
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    last = due.at(-1)?.subscriptionId ?? '';
    if (due.length < pageSize) break;
  }
  failures.tell();
  return expired;
}

/** The subscriptions of any tenant with overdue claims or reservations that are not marked yet. */
function dueSubscriptions(em: EntityManager, now: Date, last: string): Promise<Due[]> {
  const tenant = `subscription_id as "subscriptionId", organization_id as "organizationId",
    pricing_model_id as "pricingModelId", livemode`;
  return em.execute<Due[]>(
    `select ${tenant} from resource_claim where test_clock_id is null and released_at is null
       and expired_at <= ? and subscription_id > ?
     union
     select ${tenant} from reservation where test_clock_id is null and status = 'held'
       and expires_at <= ? and subscription_id > ?
     order by "subscriptionId" limit ${pageSize}`,
    [now, last, now, last],
  );
}
