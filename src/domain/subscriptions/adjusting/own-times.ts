import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { isShorter } from '#domain/model/subscriptions/commitment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { cycleAt } from '#domain/subscriptions/periods/next-boundary.ts';
import { anchorOf } from '#domain/subscriptions/periods/open-period.ts';
import type { adjustmentTimings, ResolvedTiming } from './adjust-input.ts';

type Caller = Pick<Session, 'customerId'>;

/**
 * A customer chooses no instant that is better for it than the automatic one: a period that it has begun is paid for as a
 * whole, and grants once. The seller chooses any.
 */
const isCustomer = ({ customerId }: Caller) => customerId !== undefined;

/** A change of the items, as far as its instant depends on it. */
interface ItemChange {
  readonly timing: (typeof adjustmentTimings)[number];
  readonly isUpgrade: boolean;
  /** The new interval, if it differs. */
  readonly interval: Interval | null;
}

/**
 * The timing of an adjustment. With `auto`, one that costs more applies immediately, any other at the end of the period;
 * for a customer also one to a shorter interval, which begins a period with new credits and free units. Errors: FORBIDDEN
 * for a customer that asks for an earlier one.
 */
export function timingFor(
  session: Caller,
  { interval: unit, intervalCount }: Pick<Subscription, 'interval' | 'intervalCount'>,
  { timing, isUpgrade, interval }: ItemChange,
): ResolvedTiming {
  const isCut =
    unit != null && interval && isShorter(interval, { unit, count: intervalCount ?? 1 });
  const mayBeNow = isUpgrade && !(isCustomer(session) && isCut);
  if (timing === 'auto') return mayBeNow ? 'immediately' : 'at_end_of_current_billing_period';
  if (timing !== 'immediately' || mayBeNow || !isCustomer(session)) return timing;
  throw refusal(
    ['adjustment', 'timing'],
    'must be auto or at_end_of_current_billing_period: only a change that costs more, and does not shorten the billing interval, applies immediately',
  );
}

/**
 * Errors: FORBIDDEN for a customer that ends a subscription at another date than the end of a whole period: a part of
 * one costs its share and grants everything.
 */
export function requireOwnEnd(session: Caller, subscription: Subscription, cancelAt: Date) {
  if (!isCustomer(session) || endsWholePeriod(subscription, cancelAt)) return;
  throw refusal(
    ['cancellation', 'cancelAt'],
    'must be the end of a whole billing period: use at_end_of_current_billing_period, or immediately',
  );
}

/** Whether a period ends at an instant, also if nothing changes before. */
function endsWholePeriod(subscription: Subscription, at: Date): boolean {
  const { currentBillingPeriodEnd: end, interval: unit, intervalCount } = subscription;
  if (!end || !unit || at <= end) return end?.getTime() === at.getTime();
  // A planned interval, and that which it replaces, have other boundaries.
  if (subscription.scheduledAdjustment?.interval) return false;
  const interval = { unit, count: intervalCount ?? 1 };
  return cycleAt(anchorOf(subscription), interval, at).start.getTime() === at.getTime();
}

/** Errors: FORBIDDEN for a customer that pauses before the end of the period. */
export function requireOwnPause(session: Caller, timing: ResolvedTiming) {
  if (!isCustomer(session) || timing === 'at_end_of_current_billing_period') return;
  throw refusal(['pause', 'timing'], 'must be at_end_of_current_billing_period');
}

const refusal = (path: readonly string[], message: string) =>
  new DomainError('FORBIDDEN', `${path.join('.')} of a customer token ${message}`, {
    issues: [{ code: 'FORBIDDEN', path: [...path], message }],
  });
