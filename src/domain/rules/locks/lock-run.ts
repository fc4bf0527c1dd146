import { LockMode } from '@mikro-orm/core';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockSubscription } from './lock-subscription.ts';

/** Locks a run and its subscription, with the locks of that. Errors: NOT_FOUND. */
export async function lockRun(session: Session, id: string) {
  const { subscriptionId } = await session.em.findOneOrFail(BillingRun, id);
  const locked = await lockSubscription(session, subscriptionId);
  const run = await session.em.findOneOrFail(BillingRun, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  return { ...locked, run };
}
