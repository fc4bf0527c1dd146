import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/**
 * Keeps a held subscription in its period, whatever the time, until what it is being charged for is paid or
 * not. The record itself does not change by that: nobody is told, and a payment that fails leaves no trace.
 */
export const postponeTransition = ({ em }: Session, { id }: Subscription) =>
  em.execute('update subscription set transition_due_at = null where id = ?', [id]);

/** Lets it go on to what comes next, with nothing changed. */
export const resumeTransition = ({ em }: Session, { id }: Subscription) =>
  em.execute(
    `update subscription set transition_due_at = current_billing_period_end
     where id = ? and canceled_at is null`,
    [id],
  );
