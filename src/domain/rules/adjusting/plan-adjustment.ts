import type { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import type { Interval } from '#domain/prices/price.ts';
import { pricingAtInstant } from '#domain/prices/pricing.ts';
import { requireRoomForClaims } from '#domain/rules/capacity/temporary-claims.ts';
import { paymentMethodFor } from '#domain/rules/invoicing/payment-method-for.ts';
import type { LockedSubscription } from '#domain/rules/locks/lock-subscription.ts';
import { currentPeriod } from '#domain/rules/reads/current-period.ts';
import { pricedItemsOf } from '#domain/rules/reads/items-of.ts';
import type { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { isPlanItem } from '#domain/subscription-items/subscription-item.ts';
import { listedTotal, planTotal } from '#domain/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import type { Adjustment, ResolvedTiming } from './adjust-input.ts';
import { type AdjustmentAmounts, adjustmentAmounts, nothing } from './adjustment-amounts.ts';
import { intervalWaits, newInterval } from './change-interval.ts';
import { requireKnownItems } from './match-items.ts';
import { plannedCapacities } from './planned-capacities.ts';
import { requireAdjustable } from './require-adjustable.ts';
import {
  requireAmount,
  requireCountable,
  requireEndOfPeriod,
  requireLaterEnds,
  requireLaterTrials,
} from './require-applicable.ts';
import { type ResolvedItem, resolveItems } from './resolve-items.ts';

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
  readonly payer: PaymentMethod | null;
}

/**
 * Computes an adjustment of a locked subscription and refuses one that cannot be applied. Checks status, items, room
 * for claims, dates, amounts and payment method in this order. Writes nothing; previews show this plan. Errors:
 * BAD_REQUEST; CONFLICT for more claims than there would be room for.
 */
export async function planAdjustment(
  locked: LockedSubscription,
  adjustment: Adjustment,
): Promise<AdjustmentPlan> {
  const { session, subscription } = locked;
  const { now } = session;
  await requireAdjustable(session, subscription);
  const period = await runningPeriod(session, subscription);
  const all = await pricedItemsOf(session, subscription);
  const active = all.filter((item) => item.isActive(now));
  const oldItems = active.filter(isPlanItem);
  const resolved = await resolveItems(session, subscription, active, adjustment);
  requireKnownItems(oldItems, resolved);
  const isUpgrade = listedTotal(resolved) > listedTotal(oldItems);
  const timing = timingOf(adjustment, isUpgrade);
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
  requireEndOfPeriod(newItems, interval, startsPeriod ? at : period.endDate);
  const change = { oldTotal, newTotal, startsPeriod };
  const amounts = prorates ? await adjustmentAmounts(locked, period, change) : nothing;
  const payer = await paymentMethodFor(session, subscription);
  if (amounts.charge > 0 && !payer && !subscription.sendsInvoices) {
    throw invalid(
      'PAYMENT_METHOD_REQUIRED',
      'id',
      `${subscription.id} has no payment method: add one to the customer first`,
    );
  }
  const plan = { timing, isUpgrade, at, period, oldItems, newItems, oldTotal, newTotal };
  const { keepsPhases = false } = adjustment;
  return { ...plan, capacities, interval, prorates, startsPeriod, keepsPhases, payer, ...amounts };
}

async function runningPeriod(session: Session, subscription: Subscription) {
  const period = await currentPeriod(session, subscription);
  const isWithin = period && period.startDate <= session.now && session.now <= period.endDate;
  if (!isWithin)
    throw invalid('INVALID_STATE', 'id', `${subscription.id} has no current billing period`);
  return period;
}

function timingOf({ timing }: Adjustment, isUpgrade: boolean): ResolvedTiming {
  if (timing !== 'auto') return timing;
  return isUpgrade ? 'immediately' : 'at_end_of_current_billing_period';
}
