import type { EntityManager } from '@mikro-orm/postgresql';
import { Failures } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { transitionSubscription } from '#domain/rules/lifecycle/transition-subscription.ts';

const pageSize = 200;
/** The number of workers; each crosses one boundary at a time in its own transaction. */
const workers = 4;

interface Due extends DueRow {
  readonly dueAt: string;
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
  const page = (last?: Due) => dueSubscriptions(em, now, last);
  const sweep = { em, now, causeId, onFailure: failures.add };
  let crossed = 0;
  let moved: number;
  do {
    moved = 0;
    await forEachDue(sweep, { page, pageSize, workers }, async (session, { id }) => {
      if (!failures.has(id) && (await transitionSubscription(session, id))) moved += 1;
    });
    crossed += moved;
  } while (moved > 0);
  failures.throwIfAny();
  return crossed;
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
