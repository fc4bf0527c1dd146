import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settleDuePaymentsOf } from '#domain/rules/collection/charge-payment.ts';
import { endSubscription } from '#domain/rules/lifecycle/end-subscription.ts';
import { atPresent } from '#domain/rules/locks/at-instant.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import { lockSubscriptionsOf } from '#domain/rules/locks/lock-subscription.ts';
import { unknownCustomer } from '#domain/rules/locks/read-customer.ts';
import { Customer } from './customer.ts';

export const archiveCustomerInput = z.object({ externalId: z.string() });

/**
 * Archives a customer: ends all its subscriptions, hides it, and frees its external id. An archived one
 * is returned as it is. Errors: NOT_FOUND.
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
  await settleDuePaymentsOf(session, archived.id);
  return archived;
}

async function latestArchived({ em }: Session, externalId: string): Promise<Customer> {
  const archived = { externalId, archived: true };
  const customer = await em.findOne(Customer, archived, { orderBy: { updatedAt: 'desc' } });
  if (!customer) throw unknownCustomer(externalId);
  return customer;
}
