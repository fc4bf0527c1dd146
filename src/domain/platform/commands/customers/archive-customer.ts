import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { settleDuePaymentsOf } from '#domain/money/collection/charge-payment.ts';
import { endLinks } from '#domain/platform/access/link-epoch.ts';
import { revokeTokens } from '#domain/platform/access/revoke-tokens.ts';
import { atPresent } from '#domain/platform/locks/at-instant.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { unknownCustomer } from '#domain/platform/reads/read-customer.ts';
import { countAcceptedUsageOfCustomers } from '#domain/recording/inbox/count-accepted-usage.ts';
import { endSubscription } from '#domain/subscriptions/lifecycle/end-subscription.ts';

export const archiveCustomerInput = z.object({ externalId: z.string() });

/**
 * Archives a customer: ends all its subscriptions and prepaid top-ups, hides it, frees its external id, ends its links and revokes its tokens. An archived
 * one is returned as it is. Errors: NOT_FOUND.
 */
export async function archiveCustomer(
  session: Session,
  { externalId }: z.output<typeof archiveCustomerInput>,
): Promise<Customer> {
  await countUsageOfNamed(session, externalId);
  const archived = await command(session, async (session) => {
    const locked = await lockCustomer(session, { externalId, archived: false });
    if (!locked) return latestArchived(session, externalId);
    const { customer } = locked;
    const subscriptions = await lockSubscriptionsOf(locked.session, customer.id);
    const present = await atPresent(locked.session, subscriptions);
    for (const subscription of subscriptions) {
      if (subscription.isTerminal) continue;
      await endSubscription(present, subscription, {
        reason: 'customer_archived',
        thenFreePlan: false,
      });
    }
    const topUps = await session.em.find(PrepaidTopUp, { customer: customer.id, active: true });
    for (const topUp of topUps) topUp.active = false;
    customer.archived = true;
    await endLinks(session, customer);
    await revokeTokens(session, { customer: customer.id });
    return customer;
  });
  await settleDuePaymentsOf(session, archived.id);
  return archived;
}

/** Usage that was accepted before is counted before the subscriptions end. */
async function countUsageOfNamed(session: Session, externalId: string) {
  const customer = await session.em.findOne(Customer, { externalId, archived: false });
  if (customer) await countAcceptedUsageOfCustomers(session, [customer.id]);
}

async function latestArchived({ em }: Session, externalId: string): Promise<Customer> {
  const archived = { externalId, archived: true };
  const customer = await em.findOne(Customer, archived, { orderBy: { updatedAt: 'desc' } });
  if (!customer) throw unknownCustomer(externalId);
  return customer;
}
