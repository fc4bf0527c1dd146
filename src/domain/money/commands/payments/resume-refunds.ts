import { isServed } from '#domain/kernel/absent-organizations.ts';
import { dueSweep, onlyPage } from '#domain/kernel/for-each-due.ts';
import { executeRefund } from '#domain/money/refunds/execute-refund.ts';

const most = 500;

/**
 * Resumes, for every tenant, refunds whose process has stopped on the way, and looks up those that take days. The
 * processor executes each refund once. Returns how many there were.
 */
export const resumeRefunds = dueSweep(
  (em, now) => ({
    page: onlyPage(
      em,
      `from refund due where status in ('pending', 'requires_action') and test_clock_id is null
       and (check_due_at is null or check_due_at <= ?) and ${isServed('due.organization_id')}
     order by created_at limit ${most}`,
      [now],
    ),
  }),
  (session, { id }) => executeRefund(session, id),
);
