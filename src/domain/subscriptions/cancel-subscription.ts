import { z } from 'zod';
import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { refuseWhileAdjusting } from '#domain/rules/adjusting/require-adjustable.ts';
import { settleDuePaymentsOf } from '#domain/rules/collection/charge-payment.ts';
import { abortLaterRuns } from '#domain/rules/invoicing/schedule-run.ts';
import { endSubscription } from '#domain/rules/lifecycle/end-subscription.ts';
import { lockCaughtUp } from '#domain/rules/present/lock-present.ts';
import type { Subscription } from './subscription.ts';

export const cancellationTimings = ['immediately', 'at_end_of_current_billing_period'] as const;

export const cancelSubscriptionInput = z.object({
  id: z.string(),
  cancellation: z.object({ timing: z.enum(cancellationTimings) }),
});

/**
 * Ends a subscription, now or with its current billing period. A pending payment for the rest of the period is
 * canceled, or refunded if that is too late. A subscription that has ended is returned as it is. Errors: NOT_FOUND,
 * also without a current period; BAD_REQUEST for a free plan, and while an adjustment is scheduled. BAD_REQUEST also
 * for the end of the period of a subscription that is paused, without periods or before its first payment.
 */
export async function cancelSubscription(
  session: Session,
  { id, cancellation }: z.output<typeof cancelSubscriptionInput>,
): Promise<Subscription> {
  const subscription = await lockCaughtUp(session, id, async ({ subscription, session }) => {
    if (subscription.isTerminal) return subscription;
    if (subscription.isFreePlan) {
      throw invalid('INVALID_STATE', 'id', `${id} is a free plan: subscribe to a paid one instead`);
    }
    if (subscription.scheduledAdjustmentAt) {
      throw invalid('INVALID_STATE', 'id', `${id} has a scheduled adjustment: cancel that first`);
    }
    await refuseWhileAdjusting(session, subscription);
    if (cancellation.timing === 'immediately') {
      await endSubscription(session, subscription, { reason: null, thenFreePlan: true });
    } else {
      await scheduleCancellation(session, subscription);
    }
    return subscription;
  });
  if (subscription.isTerminal) await settleDuePaymentsOf(session, subscription.customerId);
  return subscription;
}

async function scheduleCancellation(session: Session, subscription: Subscription) {
  const { em, now } = session;
  const { id, renews, currentBillingPeriodStart, currentBillingPeriodEnd } = subscription;
  if (!renews) {
    throw invalid(
      'INVALID_STATE',
      'cancellation.timing',
      `must be immediately: ${id} has no billing periods`,
    );
  }
  if (subscription.status === 'paused') {
    throw invalid('INVALID_STATE', 'cancellation.timing', `must be immediately: ${id} is paused`);
  }
  if (subscription.status === 'incomplete' && currentBillingPeriodEnd) {
    throw invalid(
      'INVALID_STATE',
      'cancellation.timing',
      `must be immediately: ${id} is incomplete, and its first payment is pending`,
    );
  }
  const isWithin =
    currentBillingPeriodStart &&
    currentBillingPeriodEnd &&
    currentBillingPeriodStart <= now &&
    now <= currentBillingPeriodEnd;
  if (!isWithin) {
    throw new DomainError('NOT_FOUND', `Subscription ${id} has no current billing period`);
  }
  subscription.scheduleCancellation();
  await abortLaterRuns(session, id);
  const later = { subscription: id, startDate: { $gt: now }, status: 'upcoming' as const };
  for (const period of await em.find(BillingPeriod, later)) period.status = 'scheduled_to_cancel';
}
