import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/** The billing period of a subscription that began last; null when it has had none. */
export const lastPeriodOf = (
  { em }: Session,
  { id }: Pick<Subscription, 'id'>,
): Promise<BillingPeriod | null> =>
  em.findOne(BillingPeriod, { subscription: id }, { orderBy: { startDate: 'desc' } });

/** The billing period that a subscription is in or was in last; null when it has had none. */
export async function currentPeriod(
  { em }: Session,
  { id, currentBillingPeriodStart: startDate }: Subscription,
): Promise<BillingPeriod | null> {
  return startDate ? em.findOne(BillingPeriod, { subscription: id, startDate }) : null;
}
