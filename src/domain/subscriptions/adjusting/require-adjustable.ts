import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun, openRunStatuses } from '#domain/model/money/billing-run.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { ResolvedTiming } from './adjust-input.ts';

/**
 * Refuses to adjust a locked subscription by its status: final, not renewing, not charged, or being changed.
 * Errors: BAD_REQUEST.
 */
export async function requireAdjustable(session: Session, subscription: Subscription) {
  const { id, status } = subscription;
  if (subscription.isTerminal)
    throw invalid('INVALID_STATE', 'id', `${id} is ${status}, which is final`);
  if (status === 'paused') {
    throw invalid('INVALID_STATE', 'id', `${id} is paused: resume it first`);
  }
  if (status === 'credit_trial') throw invalid('INVALID_STATE', 'id', `${id} is a credit trial`);
  if (!subscription.renews) {
    throw invalid(
      'INVALID_STATE',
      'id',
      `${id} does not renew, so it has no billing period to adjust`,
    );
  }
  if (subscription.doNotCharge) {
    throw invalid(
      'INVALID_STATE',
      'id',
      `${id} has doNotCharge set: cancel it and create another subscription`,
    );
  }
  if (subscription.isFreePlan) {
    throw invalid('INVALID_STATE', 'id', `${id} is a free plan: subscribe to a paid one instead`);
  }
  await refuseWhileAdjusting(session, subscription);
}

/** The part of an adjustment that the plans for the subscription may not permit. */
interface Planned {
  readonly timing: ResolvedTiming;
  readonly interval: Interval | null;
  readonly keepsSchedule: boolean;
  readonly periodEnd: Date;
}

/**
 * Refuses an adjustment that the plans for a locked subscription do not permit: of one that ends before it would apply, of
 * its interval while an end is scheduled, and one that may change no schedule. Errors: BAD_REQUEST.
 */
export function requirePermitted(
  subscription: Subscription,
  { timing, interval, keepsSchedule, periodEnd }: Planned,
) {
  const { id, cancelScheduledAt, scheduledAdjustmentAt } = subscription;
  const isLater = timing !== 'immediately';
  const endsFirst = isLater && subscription.endsBy(periodEnd);
  if (cancelScheduledAt && (interval || keepsSchedule || endsFirst)) {
    const end = cancelScheduledAt.toISOString();
    const message = `${id} has a scheduled cancellation at ${end}: uncancel it first`;
    throw invalid('INVALID_STATE', 'id', message);
  }
  if (scheduledAdjustmentAt && isLater && keepsSchedule) {
    throw invalid('INVALID_STATE', 'id', `${id} has a scheduled adjustment: cancel that first`);
  }
}

/**
 * Refuses changes while an adjustment is being paid, so that the customer gets it as paid. Errors: BAD_REQUEST while
 * that is so.
 */
export async function refuseWhileAdjusting({ em }: Session, { id }: Subscription) {
  const paying = { subscription: id, purpose: 'adjustment' as const };
  const run = await em.findOne(BillingRun, { ...paying, status: { $in: [...openRunStatuses] } });
  if (run) {
    throw invalid(
      'IN_PROGRESS',
      'id',
      `${id} is being adjusted: wait until billing run ${run.id} has ended`,
    );
  }
}

/**
 * Refuses a payment of an unpaid invoice while an adjustment that replaces it is being paid. Errors: BAD_REQUEST
 * meanwhile.
 */
export async function refuseWhileReplaced(session: Session, invoice: Invoice) {
  const run = await replacingRun(session, invoice);
  if (!run) return;
  throw invalid(
    'IN_PROGRESS',
    'id',
    `${invoice.id} is being paid by billing run ${run.id}: wait until that has ended`,
  );
}

/** Refuses changes of an invoice while its adjustment is being paid by a run. Errors: BAD_REQUEST meanwhile. */
export async function refuseWhileCharged({ em }: Session, { id, purpose }: Invoice) {
  if (purpose !== 'adjustment') return;
  const open = { invoice: id, purpose, status: { $in: [...openRunStatuses] } };
  const run = await em.findOne(BillingRun, open);
  if (run) {
    throw invalid(
      'IN_PROGRESS',
      'id',
      `${id} is being charged by billing run ${run.id}: wait until that has ended`,
    );
  }
}

/** The open run of an adjustment that replaces an invoice. */
export async function replacingRun({ em }: Session, { id, billingPeriodId }: Invoice) {
  if (!billingPeriodId) return null;
  const adjusting = { billingPeriod: billingPeriodId, purpose: 'adjustment' as const };
  const run = await em.findOne(BillingRun, { ...adjusting, status: { $in: [...openRunStatuses] } });
  return run?.adjustment?.replacedInvoiceId === id ? run : null;
}
