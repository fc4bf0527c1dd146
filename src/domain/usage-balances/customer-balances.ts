import type { Customer } from '../customers/customer.ts';
import { currentSubscriptionsOf } from '../customers/entitlements.ts';
import { DomainError } from '../errors.ts';
import type { Session } from '../session.ts';
import { Subscription } from '../subscriptions/subscription.ts';
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
  const all: MeterBalance[] = [];
  for (const subscription of subscriptions) all.push(...(await balancesOf(session, subscription)));
  return all;
}
