import { LockMode } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atPresent } from './at-instant.ts';
import { lockCustomer } from './lock-customer.ts';

/** Locks an invoice with its customer and subscription, in the one lock order. Errors: NOT_FOUND. */
export async function lockInvoice(session: Session, id: string) {
  const { em } = session;
  const found = await em.findOneOrFail(Invoice, id);
  const locked = await lockCustomer(session, { id: found.customerId });
  if (!locked) throw new DomainError('NOT_FOUND', `Invoice ${id} not found`);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const subscription = found.subscriptionId
    ? await em.findOneOrFail(Subscription, found.subscriptionId, lock)
    : null;
  const invoice = await em.findOneOrFail(Invoice, id, lock);
  return {
    ...locked,
    session: await atPresent(locked.session, [subscription]),
    subscription,
    invoice,
  };
}
