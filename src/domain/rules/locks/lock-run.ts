import { LockMode } from '@mikro-orm/core';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { lockOwned, type Owner } from './lock-subscription.ts';

/** A locked run with its subscription and customer, and a session at the time of the customer under the lock. */
export type LockedRun = Awaited<ReturnType<typeof lockRun>>;

/** Locks a run and its subscription, with the locks of that. Errors: NOT_FOUND. */
export async function lockRun(session: Session, id: string) {
  const [found] = await statement<Owner & { subscriptionId: string }>(
    session.em,
    'owner of a run',
    `select r.subscription_id as "subscriptionId", s.customer_id as "customerId", s.test_clock_id as "testClockId"
     from billing_run r join subscription s on s.id = r.subscription_id where r.id = $1`,
    [id],
  );
  if (!found) throw new DomainError('NOT_FOUND', `BillingRun ${id} not found`);
  const locked = await lockOwned(session, found.subscriptionId, found);
  const run = await session.em.findOneOrFail(BillingRun, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  return { ...locked, run };
}
