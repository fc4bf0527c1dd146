import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { rollOverUsage } from './roll-over-usage.ts';

/**
 * Grants the usage credits of a subscription when its first period has been paid; later ones are granted at the
 * boundary. Repeating it grants nothing more.
 */
export async function grantFirstCredits(
  session: Session,
  subscription: Subscription,
  period: BillingPeriod,
) {
  if (subscription.isTerminal) return;
  const earlier = { subscription: subscription.id, startDate: { $lt: period.startDate } };
  if ((await session.em.count(BillingPeriod, earlier)) > 0) return;
  await rollOverUsage(session, subscription, { ended: null, begun: period, grants: 'first' });
}
