import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { instantInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { pauseBillings, pauseEntitlements } from '#domain/model/subscriptions/pause-options.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { requireOwnPause } from '#domain/subscriptions/adjusting/own-times.ts';
import { refuseWhileAdjusting } from '#domain/subscriptions/adjusting/require-adjustable.ts';
import { endTimings } from './cancellation-input.ts';
import { requirePermittedPause } from './pause-by-customer.ts';

export const pauseSubscriptionInput = z.object({
  id: z.string(),
  pause: z.object({
    timing: z.enum(endTimings),
    resumesAt: instantInput.nullish(),
    billing: z.enum(pauseBillings).nullish(),
    entitlements: z.enum(pauseEntitlements).nullish(),
  }),
});

/** The statuses from which a subscription can be paused. */
const pausable: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid'];

/**
 * Pauses a subscription, now or at the end of its billing period, until an instant or until it is resumed. A paused one
 * grants nothing and keeps its claims, unless `entitlements` is `on`. Its period runs to its end. No other one follows, and
 * no money moves for the pause, unless `billing` is `keeps`. A paused one gets the new end of the pause. Errors: NOT_FOUND; BAD_REQUEST for a free plan, for one without
 * billing periods, and before the first payment. BAD_REQUEST also while a cancellation or an adjustment is scheduled.
 * BAD_REQUEST also for an end that is not after the start of the pause. FORBIDDEN for a customer token, unless the
 * organization permits pauses and the pause begins at the end of the period.
 */
export function pauseSubscription(
  session: Session,
  { id, pause: { timing, resumesAt = null, ...options } }: z.output<typeof pauseSubscriptionInput>,
): Promise<Subscription> {
  return lockCaughtUp(session, id, async ({ session, subscription }) => {
    await requirePermittedPause(session, options);
    requireOwnPause(session, timing);
    await requirePausable(session, subscription);
    const { currentBillingPeriodEnd: end, status } = subscription;
    const isNow = timing === 'immediately' || status === 'paused';
    const from = isNow ? session.now : (end ?? session.now);
    if (resumesAt && resumesAt <= from) {
      throw invalid('OUT_OF_RANGE', 'pause.resumesAt', `must be after ${from.toISOString()}`);
    }
    chooseOptions(subscription, options);
    subscription.resumesAt = resumesAt;
    if (isNow) subscription.pause(subscription.pausedAt ?? session.now);
    else subscription.pauseScheduledAt = from;
    return subscription;
  });
}

/** Errors: BAD_REQUEST for a pause that changes nothing, and for other options than those of a running pause. */
function chooseOptions(
  subscription: Subscription,
  given: Partial<Record<'billing' | 'entitlements', string | null | undefined>>,
) {
  const billing = (given.billing ?? subscription.pauseBilling ?? 'nothing') as 'nothing';
  const entitlements = (given.entitlements ?? subscription.pauseEntitlements ?? 'off') as 'off';
  if (subscription.status === 'paused') {
    const { pauseBilling, pauseEntitlements } = subscription;
    for (const [name, now, then] of [
      ['billing', pauseBilling, billing],
      ['entitlements', pauseEntitlements, entitlements],
    ] as const) {
      if (now === then) continue;
      throw invalid('NOT_ALLOWED', `pause.${name}`, `is ${now} in this pause: resume it first`);
    }
  }
  if ((billing as string) === 'keeps' && (entitlements as string) === 'on') {
    const why = 'must be off where billing is keeps: the pause would change nothing';
    throw invalid('NOT_ALLOWED', 'pause.entitlements', why);
  }
  subscription.pauseBilling = billing;
  subscription.pauseEntitlements = entitlements;
}

async function requirePausable(session: Session, subscription: Subscription) {
  const { id, status } = subscription;
  const refuse = (message: string) => invalid('INVALID_STATE', 'id', `${id} ${message}`);
  if (status === 'paused') return;
  if (subscription.isFreePlan) throw refuse('is a free plan: there is nothing to pause');
  if (!subscription.renews) throw refuse('has no billing periods: cancel it instead');
  if (status === 'cancellation_scheduled') {
    throw refuse('is to be canceled: revert the cancellation first');
  }
  if (!pausable.includes(status)) throw refuse(`is ${status}`);
  if (subscription.scheduledAdjustmentAt) {
    throw refuse('has a scheduled adjustment: cancel that first');
  }
  await refuseWhileAdjusting(session, subscription);
}
