import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';
import { endSubscription } from './end-subscription.ts';

/**
 * Ends the free plan of a locked customer in favor of a paid subscription. Call it in the transaction in which that
 * subscription becomes current, and before it does: a customer has one current subscription at a time.
 */
export async function replaceFreePlan(
  session: Session,
  { id, customerId: customer }: Pick<Subscription, 'id' | 'customerId'>,
) {
  const free = await session.em.find(
    Subscription,
    { customer, isFreePlan: true, status: { $in: [...currentStatuses] }, id: { $ne: id } },
    {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
      orderBy: { createdAt: 'asc', id: 'asc' },
    },
  );
  for (const plan of free) {
    await endSubscription(session, plan, { reason: 'upgraded_to_paid', thenFreePlan: false });
    plan.replacedBySubscriptionId = id;
  }
}
