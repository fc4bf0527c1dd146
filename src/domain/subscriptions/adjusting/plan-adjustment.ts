import { requireRoomForClaims } from '#domain/capacity/temporary-claims.ts';
import { paymentMethodFor } from '#domain/invoicing/billing/payment-method-for.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import { pricingAtInstant } from '#domain/model/catalog/pricing.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { listedTotal, planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { isPlanItem } from '#domain/model/subscriptions/subscription-item.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';
import { pricedItemsOf } from '#domain/platform/reads/items-of.ts';
import type { Adjustment, ResolvedTiming } from './adjust-input.ts';
import { type AdjustmentAmounts, adjustmentAmounts, nothing } from './adjustment-amounts.ts';
import { intervalWaits, newInterval } from './change-interval.ts';
import { joinedItems } from './join-schedule.ts';
import { requireKnownItems } from './match-items.ts';
import { type ScheduleOutcome, scheduleOutcome, withFormerEnds } from './merge-schedule.ts';
import { timingFor } from './own-times.ts';
import { plannedCapacities } from './planned-capacities.ts';
import { requireAdjustable, requirePermitted } from './require-adjustable.ts';
import {
  requireAmount,
  requireCountable,
  requireEndOfPeriod,
  requireLaterEnds,
  requireLaterTrials,
} from './require-applicable.ts';
import { plain, type ResolvedItem, resolveItems } from './resolve-items.ts';

/** A computed and possible adjustment; amounts in minor units. */
export interface AdjustmentPlan extends AdjustmentAmounts {
  readonly timing: ResolvedTiming;
  readonly isUpgrade: boolean;
  /** The instant at which it takes effect. */
  readonly at: Date;
  readonly period: BillingPeriod;
  readonly oldItems: readonly SubscriptionItem[];
  readonly newItems: readonly ResolvedItem[];
  readonly oldTotal: number;
  readonly newTotal: number;
  /** The capacity of each resource, by its id, after it. */
  readonly capacities: ReadonlyMap<string, number>;
  /** The new interval, if it differs. */
  readonly interval: Interval | null;
  /** Whether the rest of the period is prorated. */
  readonly prorates: boolean;
  /** Whether a new period begins with the adjustment. */
  readonly startsPeriod: boolean;
  /** Whether phases that are due with that period stay planned. */
  readonly keepsPhases: boolean;
  readonly paymentMethod: PaymentMethod | null;
  /** The effect on the adjustment that is scheduled; null without one. */
  readonly schedule: ScheduleOutcome | null;
}

/**
 * Computes an adjustment of a locked subscription and refuses one that cannot be applied. Checks status, items, room
 * for claims, dates, amounts and payment method in this order. Writes nothing; previews show this plan. Errors:
 * BAD_REQUEST; CONFLICT for more claims than there would be room for; FORBIDDEN for a timing that a customer may
 * not choose.
 */
export async function planAdjustment(
  locked: LockedSubscription,
  adjustment: Adjustment,
): Promise<AdjustmentPlan> {
  const { session, subscription } = locked;
  const { now } = session;
  await requireAdjustable(session, subscription);
  const [period, all] = await Promise.all([
    runningPeriod(session, subscription),
    pricedItemsOf(session, subscription),
  ]);
  const active = all.filter((item) => item.isActive(now));
  const oldItems = active.filter(isPlanItem);
  const asked = withFormerEnds(
    subscription,
    await resolveItems(session, subscription, active, adjustment),
  );
  requireKnownItems(oldItems, asked);
  const isUpgrade = listedTotal(asked) > listedTotal(oldItems);
  const asksFor = newInterval(subscription, oldItems, asked);
  const change = { timing: adjustment.timing, isUpgrade, interval: asksFor };
  const caller = adjustment.bySeller ? {} : session;
  const timing = timingFor(caller, subscription, change);
  const joins = adjustment.joinsSchedule && timing !== 'immediately';
  const resolved = joins ? await joinedItems(session, subscription, oldItems, asked) : asked;
  const atOnce = timing === 'immediately';
  const at = atOnce ? now : period.endDate;
  requireLaterTrials(resolved, at);
  const newItems = resolved.map((item) => ({
    ...item,
    pricing: pricingAtInstant(item.pricing, at),
  }));
  const [oldTotal, newTotal] = [planTotal(oldItems), planTotal(newItems)];
  requireAmount(oldItems, resolved, 'adjustment.newSubscriptionItems');
  await requireCountable(session, oldItems, newItems);
  const capacities = await plannedCapacities(session, subscription, newItems);
  if (![...capacities.values()].every(Number.isSafeInteger)) {
    throw invalid(
      'OUT_OF_RANGE',
      'adjustment.newSubscriptionItems',
      'grant more than the largest possible capacity',
    );
  }
  await requireRoomForClaims(session, subscription.id, capacities);

  const wanted = adjustment.prorateCurrentBillingPeriod ?? true;
  const prorates = atOnce && wanted && !intervalWaits(subscription, now);
  requireLaterEnds(oldItems, newItems, at);
  const interval = newInterval(subscription, oldItems, newItems);
  const startsPeriod = prorates && interval !== null && !period.trialPeriod;
  const { keepsPhases = false, keepsSchedule = false } = adjustment;
  const permitted = { timing, interval, keepsSchedule, periodEnd: period.endDate };
  requirePermitted(subscription, permitted);
  const next = { timing, startsPeriod, oldItems, newItems: newItems.map(plain) };
  const schedule = scheduleOutcome(subscription, next);
  requireEndOfPeriod(newItems, interval, startsPeriod ? at : period.endDate);
  const worth = { oldTotal, newTotal, startsPeriod };
  const [amounts, paymentMethod] = await Promise.all([
    prorates ? adjustmentAmounts(locked, period, worth) : nothing,
    paymentMethodFor(session, subscription),
  ]);
  if (amounts.charge > 0 && !paymentMethod && !subscription.sendsInvoices) {
    throw invalid(
      'PAYMENT_METHOD_REQUIRED',
      'id',
      `${subscription.id} has no payment method: add one to the customer first`,
    );
  }
  const plan = { timing, isUpgrade, at, period, oldItems, newItems, oldTotal, newTotal };
  const kept = {
    startsPeriod,
    keepsPhases,
    schedule: joins && schedule ? joined(schedule) : schedule,
  };
  return { ...plan, capacities, interval, prorates, paymentMethod, ...kept, ...amounts };
}

const joined = (schedule: ScheduleOutcome) => ({ ...schedule, outcome: 'merged' as const });

async function runningPeriod(session: Session, subscription: Subscription) {
  const period = await currentPeriod(session, subscription);
  const isWithin = period && period.startDate <= session.now && session.now <= period.endDate;
  if (!isWithin)
    throw invalid('INVALID_STATE', 'id', `${subscription.id} has no current billing period`);
  return period;
}
