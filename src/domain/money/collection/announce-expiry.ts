import { LockMode } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';

/** The condition on payment methods `p` that are charged, and whose expiry was not announced yet. */
export const isExpiryDue = (p: string) => `${p}.expires_on is not null and ${p}.detached_at is null
  and ${p}.expiry_announced is distinct from ${p}.expires_on and (${p}."default" or exists (
    select 1 from subscription s where ${p}.id in (s.default_payment_method_id, s.backup_payment_method_id)
      and s.status not in ('canceled', 'incomplete_expired')))`;

/** The instant from which the expiry of a payment method `p` is announced, by the settings `m` of the organization. */
export const expiryAnnouncedFrom = (p: string) =>
  `${p}.expires_on - make_interval(hours => 24 * m.card_expiring_days)`;

/** Announces the expiry of a card with one event, once for each date. Returns whether there was an event. */
export const announceExpiry = (session: Session, id: string): Promise<boolean> =>
  command(session, async (session) => {
    const { customerId } = await session.em.findOneOrFail(PaymentMethod, id);
    const locked = await lockCustomer(session, { id: customerId });
    if (!locked) return false;
    const method = await locked.session.em.findOneOrFail(PaymentMethod, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
    });
    const { expiresOn } = method;
    if (!expiresOn || method.detachedAt) return false;
    if (method.expiryAnnounced?.getTime() === expiresOn.getTime()) return false;
    method.announceExpiry(expiresOn);
    return true;
  });
