import {
  announcePrepaidExpiry,
  expirePrepaid,
  isPrepaidExpiryDue,
  prepaidExpiryAnnouncedFrom,
} from '#domain/invoicing/crediting/expire-prepaid.ts';
import { dueSweep, pagesById } from '#domain/kernel/for-each-due.ts';

const withExpired = `from customer due where due.test_clock_id is null and due.id in (
  select p.customer_id from prepaid_credit p where p.remaining > 0 and p.expires_at <= ?)`;

const toAnnounce = `from prepaid_credit due join customer c on c.id = due.customer_id
    join mail_settings m on m.organization_id = due.organization_id and m.livemode = due.livemode
  where c.test_clock_id is null and ${isPrepaidExpiryDue('due')} and due.expires_at > ?
    and ${prepaidExpiryAnnouncedFrom('due')} <= ?`;

/**
 * Expires the prepaid credits of customers that no command has met since their expiry. The delay changes no result:
 * they pay nothing from that instant on. Test clocks are excluded. Returns the number of customers.
 */
export const expirePrepaidCredits = dueSweep(
  (em, now) => pagesById(em, withExpired, [now]),
  (session, { id }) => expirePrepaid(session, id),
);

/** Announces the expiries of prepaid credits, of every tenant. Test clocks are excluded. Returns the number. */
export const announcePrepaidExpiries = dueSweep(
  (em, now) => pagesById(em, toAnnounce, [now, now]),
  (session, { id }) => announcePrepaidExpiry(session, id),
);
