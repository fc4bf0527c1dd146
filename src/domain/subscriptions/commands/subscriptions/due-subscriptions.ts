import type { EntityManager } from '@mikro-orm/postgresql';
import { TaxServiceFailed } from '#domain/catalog/taxing/tax-service-failed.ts';
import { analyzeGrown } from '#domain/kernel/analyze-grown.ts';
import { AnswerWaits } from '#domain/kernel/answer-wait.ts';
import { Failures } from '#domain/kernel/failures.ts';
import { sessionFor } from '#domain/kernel/for-each-due.ts';
import { report } from '#domain/kernel/session.ts';
import { type DueOfCustomer, inDueBatches } from '#domain/platform/locks/due-batches.ts';
import { countAcceptedUsageOfDue } from '#domain/recording/inbox/count-accepted-usage.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';

const pageSize = 200;
/** The number of workers; each crosses one boundary of a batch of subscriptions at a time, in one transaction. */
const workers = 2;

interface Due extends DueOfCustomer {
  readonly dueAt: string;
}

/**
 * Takes every due subscription of every tenant over its boundaries, one period at a time until none is due. So it
 * catches up after months without a runner. Concurrent processes are safe: a boundary that another process has
 * crossed is not due any more, and each leaves the customers that another one has locked. Subscriptions on test clocks
 * are excluded. The boundaries of one organization share the time for which they may wait for another service; those that
 * need a later answer are left to the next sweep. Returns how many boundaries it crossed. Errors: one that names the
 * subscriptions that have failed, when all others are done.
 */
export async function transitionDueSubscriptions(
  em: EntityManager,
  now: Date,
  causeId: string,
): Promise<number> {
  const failures = new Failures();
  const sweep = { em, now, causeId, onFailure: failures.add };
  const waits = new AnswerWaits();
  const open = (row: Due) => {
    const session = sessionFor(sweep, row);
    waits.share(session.cause, row.organizationId);
    return session;
  };
  // One failure states that an organization is left; its other boundaries are left without one.
  const slow = new Set<string>();
  const leftToNext = new Set<string>();
  const onFailure = (error: unknown, row: Due) => {
    const isTurn = error instanceof TaxServiceFailed && error.concerns === 'turn';
    if (isTurn) leftToNext.add(row.id);
    if (!isTurn || !slow.has(row.organizationId)) report(open(row), row.id, error);
    if (isTurn) slow.add(row.organizationId);
  };
  let crossed = 0;
  let leaves = true;
  for (;;) {
    let moved = 0;
    let passedOver = 0;
    let due: Due[] = [];
    do {
      await analyzeGrown(em);
      due = await dueSubscriptions(em, now, due.at(-1));
      const isOpen = ({ id }: Due) => !failures.has(id) && !leftToNext.has(id);
      await countAcceptedUsageOfDue(em, due.filter(isOpen), open, onFailure);
      const { results, left } = await inDueBatches(
        { em, open, onFailure, workers, leaves },
        due.filter(isOpen),
        (session, { id }) => transitionSubscription(session, id),
      );
      for (const isCrossed of results.values()) if (isCrossed) moved += 1;
      passedOver += left;
    } while (due.length === pageSize);
    crossed += moved;
    if (moved === 0 && passedOver === 0) break;
    // Those whose customers stay locked are waited for in the end.
    leaves = moved > 0;
  }
  failures.throwIfAny();
  return crossed;
}

/**
 * The earliest due subscriptions of any tenant, after the last one that was read. The order names the test clock, which
 * is null for all: only then does it follow the index, and nothing is sorted.
 */
function dueSubscriptions(em: EntityManager, now: Date, last: Due | undefined): Promise<Due[]> {
  return em.execute<Due[]>(
    `select id, transition_due_at::text as "dueAt", customer_id as "customerId",
       organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode
     from subscription where test_clock_id is null and transition_due_at <= ?
       and (transition_due_at, id) > (?::timestamptz, ?)
     order by test_clock_id, transition_due_at, id limit ${pageSize}`,
    [now, last?.dueAt ?? '-infinity', last?.id ?? ''],
  );
}
