import type { EntityManager } from '@mikro-orm/postgresql';
import { type DueRow, dueSweep } from '#domain/kernel/for-each-due.ts';
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
export const followUpInvoices = dueSweep<Due>(
  (em, now) => ({
    page: (last) => duePage(em, now, last),
    pageSize,
    workers,
    keyOf: ({ customerId }) => customerId,
  }),
  (session, { id }) => followUpInvoice(session, id),
);

const duePage = (em: EntityManager, now: Date, last: Due | undefined) =>
  em.execute<Due[]>(
    `select id, customer_id as "customerId", follow_up_due_at::text as "dueAt", organization_id as "organizationId",
         pricing_model_id as "pricingModelId", livemode
       from invoice where test_clock_id is null and follow_up_due_at <= ? and status = 'open'
         and (follow_up_due_at, id) > (?::timestamptz, ?)
       order by test_clock_id, follow_up_due_at, id limit ${pageSize}`,
    [now, last?.dueAt ?? '-infinity', last?.id ?? ''],
  );
