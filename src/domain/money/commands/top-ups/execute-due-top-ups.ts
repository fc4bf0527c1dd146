import { dueSweep, onlyPage } from '#domain/kernel/for-each-due.ts';
import { executeTopUp } from '#domain/money/collection/execute-top-up.ts';
import { postponeUntaxed } from '#domain/money/collection/postpone-untaxed.ts';

const most = 100;

/**
 * Buys the packages of due top-ups of every tenant. Test clocks are excluded. A top-up whose tax service gives no usable
 * answer waits 5 minutes. Returns the number of top-ups.
 */
export const executeDueTopUps = dueSweep(
  (em, now) => ({
    page: onlyPage(
      em,
      `from top_up due join subscription s on s.id = due.subscription_id
         where due.due_at <= ? and s.test_clock_id is null order by due.due_at, due.id limit ${most}`,
      [now],
    ),
  }),
  (session, { id }) =>
    postponeUntaxed(session, executeTopUp(session, id), ({ em, now, pricingModelId }, until) =>
      em.execute(
        'update top_up set due_at = ? where id = ? and due_at <= ? and pricing_model_id = ?',
        [until, id, now, pricingModelId],
      ),
    ),
);
