import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { compareUsage, watchUsage } from '#domain/metering/credits/watch-usage.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atPresent } from '#domain/platform/locks/at-instant.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { bePresent } from './be-present.ts';

/** The customer of an alert, and the one subscription that it watches, if it watches only one. */
interface Watched {
  readonly customerId: string;
  readonly subscriptionId: string | null;
}

/**
 * Changes an alert while its customer and the subscriptions are locked, and compares it with their present values. No
 * recording is between the change and the comparison. Errors: those of the work.
 */
export async function changeAlert<T>(
  session: Session,
  { customerId, subscriptionId }: Watched,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const own = { customer: customerId, ...(subscriptionId && { id: subscriptionId }) };
  const { em } = afresh(session);
  for (const { id } of await em.find(Subscription, own, { fields: ['id'] })) {
    await bePresent(afresh(session), id);
  }
  return command(session, async (session) => {
    const locked = await lockCustomer(session, { id: customerId });
    const all = await lockSubscriptionsOf(session, customerId);
    const present = await atPresent(locked?.session ?? session, all);
    const result = await work(present);
    await present.em.flush();
    for (const subscription of all) {
      if (subscription.isTerminal || (subscriptionId && subscription.id !== subscriptionId))
        continue;
      await watchUsage(present, subscription);
      await compareUsage(present, subscription);
    }
    return result;
  });
}
