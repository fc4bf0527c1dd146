import { dueSweep, pagesById } from '#domain/kernel/for-each-due.ts';
import { executePrepaidTopUp, isLow } from '#domain/money/collection/execute-prepaid-top-up.ts';

const due = `from prepaid_top_up due join customer c on c.id = due.customer_id
  where ${isLow('due')} and coalesce(due.waits_until, ?) <= ? and c.test_clock_id is null`;

/** Buys for the due prepaid top-ups of every tenant. Test clocks are excluded. Returns their number. */
export const executeDuePrepaidTopUps = dueSweep(
  (em, now) => pagesById(em, due, [now, now]),
  (session, { id }) => executePrepaidTopUp(session, id),
);
