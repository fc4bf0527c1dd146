import { z } from 'zod';
import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settleTemporaryClaims } from '#domain/rules/capacity/temporary-claims.ts';
import { catchUp } from '#domain/rules/collection/transition-subscription.ts';
import { chargeOwed } from '#domain/rules/lifecycle/charge-owed.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { lockSubscription } from '#domain/rules/locks/lock-subscription.ts';
import type { Subscription } from './subscription.ts';

export const uncancelSubscriptionInput = z.object({ id: z.string() });

/**
 * Reverts a scheduled cancellation; without one the subscription is returned as it is. Its owed amounts are charged
 * again. Errors: NOT_FOUND; BAD_REQUEST for a paid one without a payment method.
 */
export async function uncancelSubscription(
  session: Session,
  { id }: z.output<typeof uncancelSubscriptionInput>,
): Promise<Subscription> {
  await catchUp(afresh(session), id);
  return command(session, async (session) => {
    const { subscription, ...held } = await lockSubscription(session, id);
    if (subscription.status !== 'cancellation_scheduled') return subscription;
    if (!subscription.canGoOn) {
      throw invalid('id', `${id} has no payment method: add one to the customer first`);
    }
    const { em, now } = held.session;
    subscription.unscheduleCancellation(now);
    await em.flush();
    await settleTemporaryClaims(held.session, id);
    if (subscription.isCharged && (await chargeOwed(held.session, subscription))) {
      subscription.status = 'past_due';
    }
    const scheduled = { subscription: id, status: 'scheduled_to_cancel' as const };
    for (const period of await em.find(BillingPeriod, scheduled)) {
      period.status = period.startDate > now ? 'upcoming' : 'active';
    }
    return subscription;
  });
}
