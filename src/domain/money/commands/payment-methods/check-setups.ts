import { isServed } from '#domain/kernel/absent-organizations.ts';
import { dueSweep, onlyPage } from '#domain/kernel/for-each-due.ts';
import { completeSetup } from '#domain/money/collection/complete-setup.ts';

const most = 200;

/**
 * Reads the set-up pages that have expired, of every tenant. A page that was completed without a return of the customer
 * and without a notice still adds its payment method. Returns how many there were.
 */
export const checkSetups = dueSweep(
  (em, now) => ({
    page: onlyPage(
      em,
      `from payment_method_setup due join customer c on c.id = due.customer_id
     where due.status = 'open' and due.expires_at <= ? and c.test_clock_id is null and ${isServed('due.organization_id')}
     order by due.expires_at limit ${most}`,
      [now],
    ),
  }),
  (session, { id }) => completeSetup(session, id),
);
