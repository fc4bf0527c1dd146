import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentSubscriptionsOf } from '#domain/subscriptions/entitlement/entitlements.ts';
import { balancesOf, type MeterBalance } from './read-balances.ts';

/** The balances of a customer's current subscriptions, or of one of its subscriptions. Errors: NOT_FOUND. */
export async function customerBalances(
  session: Session,
  customer: Customer,
  subscriptionId: string | null | undefined,
): Promise<MeterBalance[]> {
  const subscriptions =
    subscriptionId == null
      ? await currentSubscriptionsOf(session, customer)
      : await session.em.find(Subscription, { id: subscriptionId, customer: customer.id });
  if (subscriptionId != null && subscriptions.length === 0) {
    throw new DomainError('NOT_FOUND', `Subscription ${subscriptionId} not found`);
  }
  const all = await Promise.all(subscriptions.map((one) => balancesOf(session, one)));
  return all.flat();
}
