import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { payWith } from './pay-with.ts';

/**
 * Makes a payment method of a locked customer its default, in place of the one before. The customer's subscriptions
 * are charged to it from now on, and owed amounts become due now.
 */
export async function makeDefault(session: Session, method: PaymentMethod) {
  const { em } = session;
  const former = { customer: method.customerId, default: true, id: { $ne: method.id } };
  for (const other of await em.find(PaymentMethod, former)) other.default = false;
  // A customer has at most one default after every statement.
  await em.flush();
  method.default = true;
  await em.flush();
  await payWith(session, method);
}

/** Locks a payment method with its customer. Errors: NOT_FOUND. */
export async function lockPaymentMethod(session: Session, id: string) {
  const { em } = session;
  const { customerId } = await em.findOneOrFail(PaymentMethod, id);
  const locked = await lockCustomer(session, { id: customerId });
  const method = await em.findOneOrFail(PaymentMethod, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  return { session: locked?.session ?? session, method };
}
