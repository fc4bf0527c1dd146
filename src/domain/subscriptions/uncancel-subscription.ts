import { z } from 'zod';
import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { settleTemporaryClaims } from '#domain/rules/capacity/temporary-claims.ts';
import { chargeOwed } from '#domain/rules/lifecycle/charge-owed.ts';
import { lockCaughtUp } from '#domain/rules/present/lock-present.ts';
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
  return lockCaughtUp(session, id, async ({ subscription, session }) => {
    if (subscription.status !== 'cancellation_scheduled') return subscription;
    if (!subscription.canContinue) {
      throw invalid(
        'PAYMENT_METHOD_REQUIRED',
        'id',
        `${id} has no payment method: add one to the customer first`,
      );
    }
    const { em, now } = session;
    subscription.unscheduleCancellation(now);
    await em.flush();
    await settleTemporaryClaims(session, id);
    if (subscription.isCharged && (await chargeOwed(session, subscription))) {
      subscription.status = 'past_due';
    }
    const scheduled = { subscription: id, status: 'scheduled_to_cancel' as const };
    for (const period of await em.find(BillingPeriod, scheduled)) {
      period.status = period.startDate > now ? 'upcoming' : 'active';
    }
    return subscription;
  });
}
