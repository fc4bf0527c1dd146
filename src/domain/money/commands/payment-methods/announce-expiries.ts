import { dueSweep, pagesById } from '#domain/kernel/for-each-due.ts';
import {
  announceExpiry,
  expiryAnnouncedFrom,
  isExpiryDue,
} from '#domain/money/collection/announce-expiry.ts';

const toAnnounce = `from payment_method due join customer c on c.id = due.customer_id
    join mail_settings m on m.organization_id = due.organization_id and m.livemode = due.livemode
  where c.test_clock_id is null and ${isExpiryDue('due')} and due.expires_on > ?
    and ${expiryAnnouncedFrom('due')} <= ?`;

/**
 * Announces the expiries of cards that are charged, of every tenant. Test clocks are excluded. Returns the number.
 */
export const announceExpiries = dueSweep(
  (em, now) => pagesById(em, toAnnounce, [now, now]),
  (session, { id }) => announceExpiry(session, id),
);
