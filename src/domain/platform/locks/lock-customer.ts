import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { atPresent, atTestClock } from './at-instant.ts';

/** A locked customer, and a session at the time of this customer under the lock. */
export interface LockedCustomer {
  readonly session: Session;
  readonly customer: Customer;
}

/**
 * Locks a customer and its clock until the transaction ends. Every command that changes a customer's subscriptions
 * does this first, so that such commands run one after the other. The lock order prevents deadlocks: clock, customer,
 * subscription, then its own rows. Returns null when no such customer exists.
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
  const locked = await lockClockAndCustomer(session, known, where);
  return locked && { ...locked, session: await atPresent(locked.session) };
}

/**
 * Locks a clock and a customer for a caller that locks further rows. Without a test clock the instant of the returned
 * session is older than the locks: call `atPresent` after the last one.
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
