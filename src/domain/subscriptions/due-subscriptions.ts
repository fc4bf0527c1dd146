import type { EntityManager } from '@mikro-orm/postgresql';
import { openSession } from '../session.ts';
import { transitionSubscription } from './transition-subscription.ts';

const pageSize = 200;
/** Subscriptions that are worked on at a time, each in its own transaction. */
const lanes = 4;

interface Due {
  readonly id: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/**
 * Takes every subscription of every tenant that is due by now over its boundary, one period at a time until
 * none is due any more; a runner that was away for months catches up. What another process works on is
 * skipped by neither: it finds the work done. Test clocks move by themselves and are left out.
 * Answers how many boundaries were crossed.
 */
export async function transitionDueSubscriptions(
  em: EntityManager,
  now: Date,
  causeId: string,
): Promise<number> {
  let crossed = 0;
  for (;;) {
    const due = await dueSubscriptions(em, now);
    const queue = due.values();
    let moved = 0;
    const work = async () => {
      for (const { id, ...tenant } of queue) {
        const session = openSession(em, { ...tenant, keyType: 'secret', now, causeId });
        if (await transitionSubscription(session, id)) moved++;
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    crossed += moved;
    if (due.length === 0 || moved === 0) return crossed;
  }
}

/** Raw of any tenant: the earliest that are due. */
function dueSubscriptions(em: EntityManager, now: Date): Promise<Due[]> {
  return em.execute<Due[]>(
    `select id, organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode
     from subscription where test_clock_id is null and transition_due_at <= ?
     order by transition_due_at, id limit ${pageSize}`,
    [now],
  );
}
