import { z } from 'zod';
import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { chargeOwed } from '#domain/subscriptions/lifecycle/charge-owed.ts';

export const uncancelSubscriptionInput = z.object({ id: z.string() });

/**
 * Reverts a scheduled cancellation; without one the subscription is returned as it is. Its owed amounts are charged
 * again. Errors: NOT_FOUND; BAD_REQUEST for a paid one without a payment method, and within
 * a last period that is shorter than its cycle.
 */
export async function uncancelSubscription(
  session: Session,
  { id }: z.output<typeof uncancelSubscriptionInput>,
): Promise<Subscription> {
  return lockCaughtUp(session, id, async ({ subscription, session }) => {
    if (subscription.status !== 'cancellation_scheduled') return subscription;
    const period = await currentPeriod(session, subscription);
    if (period?.cycleEnd) {
      // Another period would follow it, with the discounts, credits and minimums of a whole one.
      const end = period.endDate.toISOString();
      const message = `${id} ends at ${end}: its last period is a shorter one and has begun. Subscribe again at its end`;
      throw invalid('INVALID_STATE', 'id', message);
    }
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
    await markTemporaryClaims(session, id);
    const owes = subscription.isCharged && (await chargeOwed(session, subscription));
    if (owes && !subscription.unpaidAccess) subscription.status = 'past_due';
    const scheduled = { subscription: id, status: 'scheduled_to_cancel' as const };
    for (const period of await em.find(BillingPeriod, scheduled)) {
      period.status = period.startDate > now ? 'upcoming' : 'active';
    }
    return subscription;
  });
}
