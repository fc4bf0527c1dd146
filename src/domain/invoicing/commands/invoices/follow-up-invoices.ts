import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { followUpInvoice } from '#domain/money/outcomes/follow-up-invoice.ts';

const pageSize = 200;
const workers = 4;

interface Due extends DueRow {
  readonly customerId: string;
  readonly dueAt: string;
}

/**
 * Follows up every invoice of every tenant that was sent and is overdue or to be reminded of. Concurrent processes are
 * safe: one that another process has followed up is not due any more. Invoices on test clocks are excluded. Returns
 * how many there were.
 */
export function followUpInvoices(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  const page = (last?: Due) =>
    em.execute<Due[]>(
      `select id, customer_id as "customerId", follow_up_due_at::text as "dueAt", organization_id as "organizationId",
         pricing_model_id as "pricingModelId", livemode
       from invoice where test_clock_id is null and follow_up_due_at <= ? and status = 'open'
         and (follow_up_due_at, id) > (?::timestamptz, ?)
       order by test_clock_id, follow_up_due_at, id limit ${pageSize}`,
      [now, last?.dueAt ?? '-infinity', last?.id ?? ''],
    );
  const keyOf = ({ customerId }: Due) => customerId;
  return forEachDue(
    { em, now, causeId, onFailure },
    { page, pageSize, workers, keyOf },
    (session, { id }) => followUpInvoice(session, id),
  );
}
