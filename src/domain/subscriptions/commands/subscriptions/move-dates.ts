import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { endPeriodCredits } from '#domain/metering/credits/end-period-credits.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { chosenAnchor } from '#domain/subscriptions/periods/chosen-anchor.ts';

/**
 * Moves the end of a running trial. The trial period, its usage credits and the first charge move with it, and paid
 * periods count from there. Errors: BAD_REQUEST outside of a trial, for a time that is not in the future, and while
 * an adjustment is scheduled for the old end.
 */
export async function moveTrialEnd(session: Session, subscription: Subscription, trialEnd: Date) {
  const { id, status, startDate, scheduledAdjustmentAt } = subscription;
  const path = 'subscription.trialEnd';
  const period = await currentPeriod(session, subscription);
  if (status !== 'trialing' || !period?.trialPeriod) {
    throw invalid('INVALID_STATE', path, `can change during a trial only: ${id} is ${status}`);
  }
  if (scheduledAdjustmentAt) {
    throw invalid('INVALID_STATE', path, `${id} has a scheduled adjustment: cancel that first`);
  }
  const earliest = startDate > session.now ? startDate : session.now;
  if (trialEnd <= earliest) {
    throw invalid('OUT_OF_RANGE', path, `must be after ${earliest.toISOString()}`);
  }
  subscription.trialEnd = trialEnd;
  period.endDate = trialEnd;
  subscription.enter(period);
  await session.em.flush();
  await endPeriodCredits(session, period);
}

interface Anchor {
  readonly billingCycleAnchorDate?: Date | null | undefined;
  readonly anchorDayOfMonth?: number | null | undefined;
}

/**
 * Moves the instant from which the periods of a subscription repeat. The running period keeps its end. The next one ends
 * with the cycle of the new anchor, and is charged for its share of that. Errors: BAD_REQUEST for an anchor outside of
 * the next period, without periods, and for periods that are paid elsewhere or get another interval.
 */
export function moveAnchor(
  subscription: Subscription,
  { billingCycleAnchorDate: at, anchorDayOfMonth: dayOfMonth }: Anchor,
) {
  if (at == null && dayOfMonth == null) return;
  const field = at == null ? 'anchorDayOfMonth' : 'billingCycleAnchorDate';
  const path = `subscription.${field}`;
  if (at != null && dayOfMonth != null) {
    const message = 'give either anchorDayOfMonth or billingCycleAnchorDate';
    throw invalid('NOT_ALLOWED', 'subscription.anchorDayOfMonth', message);
  }
  const { id, interval: unit, intervalCount, currentBillingPeriodEnd: end } = subscription;
  const refuse = (why: string) => invalid('INVALID_STATE', path, `cannot change: ${id} ${why}`);
  if (!end || !unit) throw refuse('has no billing periods');
  if (subscription.paidUntil && subscription.paidUntil > end) {
    throw refuse('is paid elsewhere after its period');
  }
  if (subscription.scheduledAdjustment?.interval) {
    throw refuse('has a scheduled adjustment to another interval: cancel that first');
  }
  if (at && at < end) {
    const message = `must be at least ${end.toISOString()}, the end of the period`;
    throw invalid('OUT_OF_RANGE', path, message);
  }
  const interval = { unit, count: intervalCount ?? 1 };
  const chosen = { at, dayOfMonth, path: 'subscription.' };
  subscription.billingCycleAnchorDate = chosenAnchor(chosen, end, interval);
  subscription.anchored = true;
}

/**
 * Limits the number of periods that follow the current one, after which the subscription ends; null removes the limit.
 * Errors: BAD_REQUEST for a subscription that does not renew, and for none where no period is running.
 */
export function limitPeriods(subscription: Subscription, count: number | null) {
  const path = 'subscription.remainingPeriods';
  const { id, renews, currentBillingPeriodEnd } = subscription;
  if (count !== null && !renews) {
    throw invalid('INVALID_STATE', path, `cannot change: ${id} has no billing periods`);
  }
  if (count === 0 && !currentBillingPeriodEnd) {
    throw invalid('OUT_OF_RANGE', path, `must be 1 or more: ${id} is in no billing period`);
  }
  subscription.remainingPeriods = count;
}
