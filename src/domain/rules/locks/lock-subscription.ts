import { LockMode } from '@mikro-orm/core';
import type { Customer } from '#domain/customers/customer.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { atPresent } from './at-instant.ts';
import { lockClockAndCustomer } from './lock-customer.ts';

/** A locked subscription, its customer, and a session at the time of the customer under the lock. */
export interface LockedSubscription {
  readonly session: Session;
  readonly customer: Customer;
  readonly subscription: Subscription;
}

/** Locks a subscription, its customer and its clock until the transaction ends. Errors: NOT_FOUND. */
export async function lockSubscription(session: Session, id: string): Promise<LockedSubscription> {
  const [owner] = await statement<Owner>(
    session.em,
    'owner of a subscription',
    'select customer_id as "customerId", test_clock_id as "testClockId" from subscription where id = $1',
    [id],
  );
  return lockOwned(session, id, owner);
}

/** The customer of a subscription and its clock; neither ever changes. */
export interface Owner {
  readonly customerId: string;
  readonly testClockId: string | null;
}

/** The same for a subscription whose owner was read, of whatever tenant: the session sees what it locks. */
export async function lockOwned(
  session: Session,
  id: string,
  owner: Owner | undefined,
): Promise<LockedSubscription> {
  const { em } = session;
  const known = owner && { id: owner.customerId, testClockId: owner.testClockId };
  const locked = known && (await lockClockAndCustomer(session, known));
  if (!locked) throw new DomainError('NOT_FOUND', `Subscription ${id} not found`);
  const subscription = await em.findOneOrFail(Subscription, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  return { ...locked, session: await atPresent(locked.session, [subscription]), subscription };
}

/** Locks every subscription of a customer that is already locked, the oldest first. */
export function lockSubscriptionsOf({ em }: Session, customerId: string): Promise<Subscription[]> {
  const options = {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
    orderBy: { createdAt: 'asc', id: 'asc' },
  } as const;
  return em.find(Subscription, { customer: customerId }, options);
}

/** The same as `lockOwned`, with every other subscription of its customer. Errors: NOT_FOUND. */
export async function lockAmongAll(
  session: Session,
  id: string,
  { customerId, testClockId }: Owner,
): Promise<LockedSubscription> {
  const locked = await lockClockAndCustomer(session, { id: customerId, testClockId });
  const all = locked ? await lockSubscriptionsOf(session, customerId) : [];
  const subscription = all.find((one) => one.id === id);
  if (!locked || !subscription) throw new DomainError('NOT_FOUND', `Subscription ${id} not found`);
  return { ...locked, session: await atPresent(locked.session, all), subscription };
}
