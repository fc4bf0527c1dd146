import type { EntityManager } from '@mikro-orm/postgresql';
import { Failures } from '#domain/kernel/failures.ts';
import { openSession } from '#domain/kernel/session.ts';
import { transitionSubscription } from '#domain/rules/collection/transition-subscription.ts';

const pageSize = 200;
/** The number of workers; each crosses one boundary at a time in its own transaction. */
const lanes = 4;

interface Due {
  readonly id: string;
  readonly dueAt: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
}

/** The parts of a sweep. */
interface Sweep {
  readonly em: EntityManager;
  readonly now: Date;
  readonly causeId: string;
  readonly failures: Failures;
}

/**
 * Takes every due subscription of every tenant over its boundaries, one period at a time until none is due. So it
 * catches up after months without a runner. Concurrent processes are safe: a boundary that another process has
 * crossed is not due any more. Subscriptions on test clocks are excluded. Returns how many boundaries it crossed.
 * Errors: one that names the subscriptions that have failed, when all others are done.
 */
export async function transitionDueSubscriptions(
  em: EntityManager,
  now: Date,
  causeId: string,
): Promise<number> {
  const failures = new Failures();
  let crossed = 0;
  for (;;) {
    const moved = await sweep({ em, now, causeId, failures });
    crossed += moved;
    if (moved === 0) break;
  }
  failures.tell();
  return crossed;
}

/** Passes once over all due subscriptions, the earliest first. Returns how many boundaries it crossed. */
async function sweep({ em, now, causeId, failures }: Sweep): Promise<number> {
  let moved = 0;
  let last: Due | undefined;
  do {
    const due = await dueSubscriptions(em, now, last);
    const queue = due.values();
    const work = async () => {
      for (const { id, organizationId, pricingModelId, livemode } of queue) {
        if (failures.has(id)) continue;
        const scope = { organizationId, pricingModelId, livemode, now, causeId };
        const session = openSession(em, { ...scope, keyType: 'secret' });
        if (await failures.attempt(id, () => transitionSubscription(session, id))) moved++;
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    last = due.length === pageSize ? due.at(-1) : undefined;
  } while (last);
  return moved;
}

/** The earliest due subscriptions of any tenant, after the last one that was read. */
function dueSubscriptions(em: EntityManager, now: Date, last: Due | undefined): Promise<Due[]> {
  return em.execute<Due[]>(
    `select id, transition_due_at::text as "dueAt", organization_id as "organizationId",
       pricing_model_id as "pricingModelId", livemode
     from subscription where test_clock_id is null and transition_due_at <= ?
       and (transition_due_at, id) > (?::timestamptz, ?)
     order by transition_due_at, id limit ${pageSize}`,
    [now, last?.dueAt ?? '-infinity', last?.id ?? ''],
  );
}
