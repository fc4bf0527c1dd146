import { dueSweep, onlyPage } from '#domain/kernel/for-each-due.ts';
import { billAtAmount } from '#domain/money/collection/bill-at-amount.ts';
import { postponeUntaxed } from '#domain/money/collection/postpone-untaxed.ts';

const most = 100;

/**
 * Bills the usage of running periods that has reached the amount for it, of every tenant. Test clocks are excluded.
 * A subscription whose tax service gives no usable answer waits 5 minutes. Returns the number of subscriptions.
 */
export const billDueAmounts = dueSweep(
  (em, now) => ({
    page: onlyPage(
      em,
      `from usage_watch w join subscription due on due.id = w.subscription_id
         where w.bill_due_at <= ? and due.test_clock_id is null order by w.bill_due_at, due.id limit ${most}`,
      [now],
    ),
  }),
  (session, { id }) =>
    postponeUntaxed(session, billAtAmount(session, id), ({ em, now }, until) =>
      em.execute(
        'update usage_watch set bill_due_at = ? where subscription_id = ? and bill_due_at <= ?',
        [until, id, now],
      ),
    ),
);
