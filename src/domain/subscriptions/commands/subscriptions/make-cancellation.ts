import { markTemporaryClaims } from '#domain/capacity/temporary-claims.ts';
import { abortLaterRuns } from '#domain/invoicing/billing/schedule-run.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { dropScheduledAdjustment } from '#domain/subscriptions/adjusting/drop-scheduled-adjustment.ts';
import { plannedPhases } from '#domain/subscriptions/adjusting/follow-phases.ts';
import { requireOwnEnd } from '#domain/subscriptions/adjusting/own-times.ts';
import { refuseWhileAdjusting } from '#domain/subscriptions/adjusting/require-adjustable.ts';
import { endSubscription } from '#domain/subscriptions/lifecycle/end-subscription.ts';
import { nothingReturned, type Returned } from '#domain/subscriptions/lifecycle/return-unused.ts';
import type { Cancellation } from './cancellation-input.ts';

/** The effects on a planned change of a subscription. */
const scheduleEffects = ['kept', 'dropped'] as const;

/** The effect of a cancellation. */
export interface CancellationEffect extends Returned {
  readonly endsAt: Date;
  /** The effect on the scheduled adjustment; null without one. */
  readonly scheduledAdjustment: (typeof scheduleEffects)[number] | null;
  /** How many planned phases do not start. */
  readonly canceledPhaseCount: number;
}

/**
 * Cancels a locked subscription that has not ended, now or at an instant. A planned change that would apply by then is
 * kept; others do not happen. Returns the effect until now. Errors: those of `cancelSubscription`.
 */
export async function makeCancellation(
  session: Session,
  subscription: Subscription,
  cancellation: Cancellation,
): Promise<CancellationEffect> {
  const { now } = session;
  const { id, scheduledAdjustmentAt } = subscription;
  if (subscription.isFreePlan) {
    throw invalid('INVALID_STATE', 'id', `${id} is a free plan: subscribe to a paid one instead`);
  }
  await refuseWhileAdjusting(session, subscription);
  const { timing } = cancellation;
  const credit = cancellation.credit ?? 'none';
  const endsAt = timing === 'immediately' ? now : endOf(session, subscription, cancellation);
  await refuseLaterEnd(session, subscription, endsAt);
  const isDropped = scheduledAdjustmentAt != null && scheduledAdjustmentAt >= endsAt;
  const phases = await plannedPhases(session, subscription);
  const planned = {
    endsAt,
    scheduledAdjustment: isDropped ? 'dropped' : scheduledAdjustmentAt ? 'kept' : null,
    canceledPhaseCount: phases.filter(({ startsAt }) => startsAt >= endsAt).length,
  } as const;
  if (timing === 'immediately') {
    const ending = { reason: null, credit, thenFreePlan: true };
    return { ...planned, ...(await endSubscription(session, subscription, ending)) };
  }
  if (isDropped) await dropScheduledAdjustment(session, subscription, 'The subscription ends');
  const isMoved = subscription.cancelScheduledAt?.getTime() !== endsAt.getTime();
  if (isDropped || isMoved) {
    // Claims that were to end at another date, or with the adjustment, continue until the new one.
    subscription.cancelScheduledAt = null;
    subscription.cancellationCredit = null;
    await session.em.flush();
    await markTemporaryClaims(session, id);
  }
  subscription.scheduleCancellation(endsAt, credit, now);
  if (timing !== 'at_date') await abortLaterRuns(session, id);
  await cancelPeriodsFrom(session, id, endsAt);
  return { ...planned, ...nothingReturned };
}

/** The instant of a scheduled end. Errors: NOT_FOUND, BAD_REQUEST, FORBIDDEN. */
function endOf(
  session: Session,
  subscription: Subscription,
  { timing, cancelAt }: Cancellation,
): Date {
  const { now } = session;
  const { id, renews, status, currentBillingPeriodStart, currentBillingPeriodEnd } = subscription;
  const refuse = (why: string) =>
    invalid('INVALID_STATE', 'cancellation.timing', `must be immediately: ${id} ${why}`);
  if (!renews) throw refuse('has no billing periods');
  if (status === 'paused') throw refuse('is paused');
  if (status === 'incomplete' && currentBillingPeriodEnd)
    throw refuse('is incomplete, and its first payment is pending');
  const isWithin =
    currentBillingPeriodStart &&
    currentBillingPeriodEnd &&
    currentBillingPeriodStart <= now &&
    now <= currentBillingPeriodEnd;
  if (!isWithin) {
    throw new DomainError('NOT_FOUND', `Subscription ${id} has no current billing period`);
  }
  if (timing !== 'at_date' || !cancelAt) return currentBillingPeriodEnd;
  requireOwnEnd(session, subscription, cancelAt);
  if (cancelAt <= now) {
    const message = `must be after ${now.toISOString()}: to end it now, use the timing immediately`;
    throw invalid('OUT_OF_RANGE', 'cancellation.cancelAt', message);
  }
  if (status === 'unpaid' && cancelAt > currentBillingPeriodEnd) {
    const message = `must be by ${currentBillingPeriodEnd.toISOString()}, the end of the period: ${id} is unpaid`;
    throw invalid('INVALID_STATE', 'cancellation.cancelAt', message);
  }
  return cancelAt;
}

/** A shorter period is the last one: another one after it would have discounts, credits and minimums of a whole one. */
async function refuseLaterEnd(session: Session, subscription: Subscription, end: Date) {
  const period = await currentPeriod(session, subscription);
  if (!period?.cycleEnd || end <= period.endDate) return;
  const message = `must be by ${period.endDate.toISOString()}: the last period of ${subscription.id} is a shorter one and has begun`;
  throw invalid('OUT_OF_RANGE', 'cancellation.cancelAt', message);
}

async function cancelPeriodsFrom({ em, now }: Session, subscription: string, end: Date) {
  const from = end > now ? end : now;
  const later = { subscription, startDate: { $gte: from }, status: 'upcoming' as const };
  for (const period of await em.find(BillingPeriod, later)) period.status = 'scheduled_to_cancel';
}
