import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/**
 * Keeps a locked subscription in its period, whatever the time, until the payment in progress is settled. Writes the
 * column directly: no event is emitted, and a payment that fails leaves no trace.
 */
export const postponeTransition = ({ em, pricingModelId }: Session, { id }: Subscription) =>
  em.execute(
    'update subscription set transition_due_at = null where id = ? and pricing_model_id = ?',
    [id, pricingModelId],
  );

/** Lets the subscription cross its next boundary again, with nothing changed. */
export const resumeTransition = ({ em, pricingModelId }: Session, { id }: Subscription) =>
  em.execute(
    `update subscription set transition_due_at =
       least(current_billing_period_end, cancel_scheduled_at, item_trial_end_at, phase_start_at)
     where id = ? and pricing_model_id = ? and canceled_at is null`,
    [id, pricingModelId],
  );
