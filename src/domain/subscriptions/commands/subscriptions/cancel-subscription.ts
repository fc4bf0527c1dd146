import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { settleDuePaymentsOf } from '#domain/money/collection/charge-payment.ts';
import { executeDueRefunds } from '#domain/money/refunds/execute-due-refunds.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { type CancelSubscriptionInput, requireOwnCancellation } from './cancellation-input.ts';
import { makeCancellation } from './make-cancellation.ts';

/**
 * Ends a subscription now, with its current billing period or at a date. A pending payment for the rest of the period is
 * canceled, or refunded if that is too late. An end within a period that is charged returns its unused part as `credit`
 * states. A subscription that has ended is returned as it is. Errors: NOT_FOUND, also without a current period;
 * BAD_REQUEST for a free plan and while an adjustment is being paid. BAD_REQUEST also for a later end of a subscription
 * that is paused, without periods or before its first payment; FORBIDDEN for a customer that asks for a credit, and for
 * an end within a period at a date.
 */
export async function cancelSubscription(
  session: Session,
  { id, cancellation }: CancelSubscriptionInput,
): Promise<Subscription> {
  requireOwnCancellation(session, cancellation);
  const subscription = await lockCaughtUp(session, id, async ({ subscription, session }) => {
    if (!subscription.isTerminal) await makeCancellation(session, subscription, cancellation);
    return subscription;
  });
  if (subscription.isTerminal) {
    await settleDuePaymentsOf(session, subscription.customerId);
    await executeDueRefunds(session, subscription.customerId);
  }
  return subscription;
}
