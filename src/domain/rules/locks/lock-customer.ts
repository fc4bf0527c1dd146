import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { Customer } from '#domain/customers/customer.ts';
import type { Session } from '#domain/kernel/session.ts';
import { atPresent, atTestClock } from './at-instant.ts';

/** A customer that nobody else changes meanwhile, and the time that it is for this customer under the lock. */
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

interface Known {
  readonly id: string;
  readonly testClockId: string | null;
}

/** The same for a customer whose id and clock are known; neither ever changes. */
export async function lockKnownCustomer(
  session: Session,
  known: Known,
  where: FilterQuery<NoInfer<Customer>> = {},
): Promise<LockedCustomer | null> {
  const held = await lockClockAndCustomer(session, known, where);
  return held && { ...held, session: await atPresent(held.session) };
}

/**
 * Locks a clock and a customer for a caller that goes on to lock further rows. The instant of the session that
 * is answered is older than the locks, without a test clock: take `atPresent` of it after the last one.
 */
export async function lockClockAndCustomer(
  session: Session,
  { id, testClockId }: Known,
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
