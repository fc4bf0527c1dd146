import { z } from 'zod';
import { command } from '../command.ts';
import { chargeDuePaymentsOf } from '../payments/charge-payment.ts';
import type { Session } from '../session.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { lockSubscriptionsOf } from '../subscriptions/lock-subscription.ts';
import { atPresent } from '../test-clocks/at-instant.ts';
import { Customer } from './customer.ts';
import { lockCustomer } from './lock-customer.ts';
import { unknownCustomer } from './update-customer.ts';

export const archiveCustomerInput = z.object({ externalId: z.string() });

/**
 * Ends all that a customer is subscribed to, for good, and hides the customer; the external id is free
 * again. An archived one is answered as it is (reference §9.1). Errors: NOT_FOUND.
 */
export async function archiveCustomer(
  session: Session,
  { externalId }: z.output<typeof archiveCustomerInput>,
): Promise<Customer> {
  const archived = await command(session, async (session) => {
    const held = await lockCustomer(session, { externalId, archived: false });
    if (!held) return latestArchived(session, externalId);
    const { customer } = held;
    const subscriptions = await lockSubscriptionsOf(held.session, customer.id);
    const present = await atPresent(held.session);
    for (const subscription of subscriptions) {
      if (subscription.isTerminal) continue;
      await endSubscription(present, subscription, {
        reason: 'customer_archived',
        thenFreePlan: false,
      });
    }
    customer.archived = true;
    return customer;
  });
  await chargeDuePaymentsOf(session, archived.id);
  return archived;
}

async function latestArchived({ em }: Session, externalId: string): Promise<Customer> {
  const archived = { externalId, archived: true };
  const customer = await em.findOne(Customer, archived, { orderBy: { updatedAt: 'desc' } });
  if (!customer) throw unknownCustomer(externalId);
  return customer;
}
