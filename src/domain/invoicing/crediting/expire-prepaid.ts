import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { expireCredit, usableCredits } from './prepaid-credits.ts';

/** The condition on credits whose expiry is announced and was not yet. One that rolls over in full loses nothing. */
export const isPrepaidExpiryDue = (row: string) =>
  `${row}.remaining > 0 and ${row}.expires_at is not null and ${row}.expiry_announced is distinct from ${row}.expires_at
   and (coalesce(${row}.rollovers, 0) = 0 or ${row}.remaining > ${row}.rollover_limit)`;

/** The instant from which an expiry is announced, by the settings `m` of the organization. */
export const prepaidExpiryAnnouncedFrom = (row: string) =>
  `${row}.expires_at - make_interval(hours => 24 * m.prepaid_expiring_days)`;

/** Expires the due prepaid credits of a customer, and lets parts of them roll over. */
export const expirePrepaid = (session: Session, customerId: string): Promise<void> =>
  command(session, async (session) => {
    const locked = await lockCustomer(session, { id: customerId });
    if (locked) await usableCredits(locked.session, locked.customer);
  });

/** Announces the expiry of a prepaid credit with one event, once for each date. */
export const announcePrepaidExpiry = (session: Session, id: string): Promise<void> =>
  command(session, async (session) => {
    const { customerId } = await session.em.findOneOrFail(PrepaidCredit, id);
    const locked = await lockCustomer(session, { id: customerId });
    if (!locked) return;
    const credit = await session.em.findOneOrFail(PrepaidCredit, id, { refresh: true });
    const { expiresAt, expiryAnnounced } = credit;
    // While this waited for the lock, the credit may have expired or rolled over to a later date.
    expireCredit(locked.session, locked.customer, credit);
    const isOver = !expiresAt || expiresAt <= locked.session.now;
    if (isOver || credit.remaining === 0) return;
    if (expiryAnnounced?.getTime() !== expiresAt.getTime()) credit.announceExpiry(expiresAt);
  });
