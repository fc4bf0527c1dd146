import { LockMode } from '@mikro-orm/core';
import { lockCustomer } from '../customers/lock-customer.ts';
import { DomainError } from '../errors.ts';
import type { Session } from '../session.ts';
import { Subscription } from '../subscriptions/subscription.ts';
import { atPresent } from '../test-clocks/at-instant.ts';
import { Invoice } from './invoice.ts';

/** Holds an invoice with its customer and subscription, in the one order. Errors: NOT_FOUND. */
export async function lockInvoice(session: Session, id: string) {
  const { em } = session;
  const found = await em.findOneOrFail(Invoice, id);
  const held = await lockCustomer(session, { id: found.customerId });
  if (!held) throw new DomainError('NOT_FOUND', `Invoice ${id} not found`);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const subscription = found.subscriptionId
    ? await em.findOneOrFail(Subscription, found.subscriptionId, lock)
    : null;
  const invoice = await em.findOneOrFail(Invoice, id, lock);
  return { ...held, session: await atPresent(held.session), subscription, invoice };
}
