import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { Session } from '../session.ts';
import { atTestClock } from '../test-clocks/at-instant.ts';
import { Customer } from './customer.ts';

/** A customer that nobody else changes meanwhile, and the time that it is for this customer. */
export interface LockedCustomer {
  readonly session: Session;
  readonly customer: Customer;
}

/**
 * Holds a customer and its clock until the transaction ends. Whatever changes a customer's subscriptions
 * does this first, so that commands on one customer go one after the other and nobody waits in a circle:
 * clock, customer, subscription, and what belongs to it. Answers null when there is no such customer.
 */
export async function lockCustomer(
  session: Session,
  where: FilterQuery<NoInfer<Customer>>,
): Promise<LockedCustomer | null> {
  const found = await session.em.findOne(Customer, where);
  return found && lockKnownCustomer(session, found, where);
}

/** The same for a customer whose id and clock are known; neither ever changes. */
export async function lockKnownCustomer(
  session: Session,
  { id, testClockId }: { readonly id: string; readonly testClockId: string | null },
  where: FilterQuery<NoInfer<Customer>> = {},
): Promise<LockedCustomer | null> {
  const atClock = await atTestClock(session, testClockId);
  const customer = await session.em.findOne(
    Customer,
    { $and: [{ id }, where] },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  return customer && { session: atClock, customer };
}
