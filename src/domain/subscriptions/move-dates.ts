import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { endPeriodCredits } from '#domain/rules/ledger/end-period-credits.ts';
import { nextBoundary } from '#domain/rules/periods/next-boundary.ts';
import { currentPeriod } from '#domain/rules/reads/current-period.ts';
import type { Subscription } from './subscription.ts';

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

/**
 * Moves the instant from which the periods of an uncharged subscription repeat. The running period keeps its end, and
 * the next one ends at the new anchor. Errors: BAD_REQUEST for a charged subscription, whose periods are paid in full.
 */
export function moveAnchor(subscription: Subscription, anchor: Date) {
  const { id, isCharged, interval, intervalCount, currentBillingPeriodEnd: end } = subscription;
  const path = 'subscription.billingCycleAnchorDate';
  if (isCharged) {
    throw invalid(
      'INVALID_STATE',
      path,
      `cannot change: the periods of ${id} are charged in full. Move trialEnd during a trial, or adjust the subscription to another interval`,
    );
  }
  if (!end || !interval) {
    throw invalid('INVALID_STATE', path, `cannot change: ${id} has no billing periods`);
  }
  const latest = nextBoundary(end, { unit: interval, count: intervalCount ?? 1 }, end);
  if (anchor < end || anchor > latest) {
    throw invalid(
      'OUT_OF_RANGE',
      path,
      `must be from ${end.toISOString()}, the end of the period, to ${latest.toISOString()}`,
    );
  }
  subscription.billingCycleAnchorDate = anchor;
}
