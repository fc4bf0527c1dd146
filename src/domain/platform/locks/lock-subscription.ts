import { LockMode } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
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
    `select customer_id as "customerId", test_clock_id as "testClockId" from subscription
     where id = $1 and pricing_model_id = $2`,
    [id, session.pricingModelId],
  );
  return lockOwned(session, id, owner);
}

/** The customer of a subscription and its clock; neither ever changes. */
export interface Owner {
  readonly customerId: string;
  readonly testClockId: string | null;
}

/**
 * The same for a subscription whose owner was read, of whatever tenant: the session sees what it locks. Where `locksAll`
 * answers so under the lock of the customer, all of its subscriptions are locked.
 */
export async function lockOwned(
  session: Session,
  id: string,
  owner: Owner | undefined,
  locksAll?: () => Promise<boolean>,
): Promise<LockedSubscription> {
  const { em } = session;
  const known = owner && { id: owner.customerId, testClockId: owner.testClockId };
  const locked = known && (await lockClockAndCustomer(session, known));
  if (!locked) throw new DomainError('NOT_FOUND', `Subscription ${id} not found`);
  const all = (await locksAll?.()) ? await lockSubscriptionsOf(session, known.id) : [];
  const subscription = await em.findOneOrFail(Subscription, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  return {
    ...locked,
    session: await atPresent(locked.session, [subscription, ...all]),
    subscription,
  };
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
